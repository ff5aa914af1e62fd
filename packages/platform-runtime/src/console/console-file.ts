/**
 * A file from outside, which is untrusted. The console sends each kind with headers that keep a browser from running it
 * as a page of the console.
 */
export type ConsoleFile =
  | { readonly kind: 'text'; readonly bytes: Uint8Array; readonly charset: string }
  /** A page for a frame. It runs no script, and loads nothing. */
  | { readonly kind: 'page'; readonly html: string }
  /** A file of any type, which browsers save. */
  | { readonly kind: 'download'; readonly bytes: Uint8Array; readonly name: string }
