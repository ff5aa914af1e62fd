/** The file of that name beside a module: its source when that is what runs, or else what was built from it. */
export function siblingModule(name: string, url: string): URL {
  return new URL(`./${name}${url.slice(url.lastIndexOf('.'))}`, url)
}
