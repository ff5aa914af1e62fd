import type { ComponentChildren } from 'preact'

/** A page that the navigation lists. */
export interface Page {
  /** The first part of the page's path. */
  readonly name: string
  readonly title: string
  /** The SVG path of the page's icon, in a square of 16 units. */
  readonly sign: string
  /**
   * The part of the platform that the page belongs to, by its name in `GET /parts`. The navigation lists the page if the
   * configuration uses the part. Without a part, it always does.
   */
  readonly part?: string
  /** What the number is that the navigation shows when something went wrong in the part, such as `Dead letters`. */
  readonly wrong?: string | undefined
  /**
   * What is shown at each path below the name. A `*` in a path stands for one segment that is not empty, and the decoded
   * segments are the arguments.
   */
  readonly routes: { readonly [path: string]: (...segments: string[]) => ComponentChildren }
}
