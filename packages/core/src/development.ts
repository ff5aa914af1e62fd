/** Returns whether `NODE_ENV` is `development`. Errors and warnings may then say more. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/** Returns whether `NODE_ENV` is `development` or `test`, where a check may cost more. */
export function inDevelopmentOrTest(): boolean {
  return /^(?:development|test)$/.test(process.env.NODE_ENV ?? '')
}
