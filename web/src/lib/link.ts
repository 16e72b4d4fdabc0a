import type { Attachment } from 'svelte/attachments';
import { app } from '../state/app.svelte';

/** A link inside the client: followed without a new page load, unless the user wants a new tab. */
export const link: Attachment<HTMLAnchorElement> = (anchor) => {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    app.go(anchor.getAttribute('href') ?? '/');
  };
  anchor.addEventListener('click', follow);
  return () => anchor.removeEventListener('click', follow);
};
