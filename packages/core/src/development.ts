/** Returns whether `NODE_ENV` is `development`. In development, errors and warnings may contain more details. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/** Returns whether `NODE_ENV` is `development` or `test`. Slower checks are acceptable there. */
export function inDevelopmentOrTest(): boolean {
  return /^(?:development|test)$/.test(process.env.NODE_ENV ?? '')
}

/**
 * Returns true. In a bundle for production, `@signalbox/bundler` replaces calls of this function with `false`. Errors
 * then say what is wrong, but not what the developer probably meant.
 */
export function withHints(): boolean {
  return true
}
