/**
 * Returns the URL of a module by its path from the folder of another, with the same ending: `.ts` when the platform runs from
 * source, else `.js`.
 */
export function siblingModule(name: string, url: string): URL {
  return new URL(`./${name}${url.slice(url.lastIndexOf('.'))}`, url)
}
