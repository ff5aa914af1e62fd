/** Returns whether `NODE_ENV` is `development`. Errors and warnings may then say more. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}
