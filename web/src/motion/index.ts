// Loaded after the table stands: nobody waits for motion to play.
export { Show } from './show';
