import type { AnyConsolePart, ApiRoute, ConsolePage } from '@signalbox/platform-runtime/console'
import { ownNames } from '../api/own-pages.ts'

/**
 * Returns the pages of all sources.
 * @throws Error when two pages have the same address, or a page names a route that its source does not have
 */
export function sourcePages(parts: readonly AnyConsolePart[]): readonly ConsolePage[] {
  const taken = new Set<string>(ownNames)
  return parts.flatMap(({ name: part, pages = [], routes }) => {
    const has = Object.values<ApiRoute>(routes).map(({ method, path }) => `${method} ${path}`)
    return pages.map(page => {
      const { name, contents } = page
      if (!/^[a-z\d-]+$/i.test(name))
        throw new Error(
          `A page of the part ${part} has the name ${JSON.stringify(name)}: expected letters, digits and hyphens.`,
        )
      if (taken.has(name))
        throw new Error(
          `The address /console/${name} of a page of the part ${part} is taken by another page.`,
        )
      taken.add(name)
      for (const { rows, actions = [] } of contents?.tables ?? [])
        for (const each of [`GET ${rows}`, ...actions.map(({ method, path }) => `${method} ${path}`)])
          if (!has.includes(each))
            throw new Error(
              `The page ${name} of the console names ${each}, but its source has only ${has.join(', ')}.`,
            )
      return { ...page, part }
    })
  })
}
