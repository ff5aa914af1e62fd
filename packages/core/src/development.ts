/** Returns whether `NODE_ENV` is `development`, where errors and warnings may say more. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}
