/** The folder of the built web application. This file is directly in `src`, because the build moves its code into `dist`. */
export const builtFolder = new URL('../dist/web/', import.meta.url)
