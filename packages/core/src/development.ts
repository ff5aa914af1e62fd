/** Whether people rather than users are looking: `NODE_ENV` is `development`. Off unless somebody says so. */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}
