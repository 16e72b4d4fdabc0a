// Loaded after the table stands: nobody waits for motion to play.
export { glide } from './glide';
export { flightsOf } from './plan';
export { Air, look, type Picture } from './stage';
