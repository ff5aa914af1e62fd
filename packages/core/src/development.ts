/** Returns whether `NODE_ENV` is `development`. In development, errors and warnings may contain more details. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/** Returns whether `NODE_ENV` is `development` or `test`. Slower checks are acceptable there. */
export function inDevelopmentOrTest(): boolean {
  return /^(?:development|test)$/.test(process.env.NODE_ENV ?? '')
}
