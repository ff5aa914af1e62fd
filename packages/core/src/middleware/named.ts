/** Sets the name of a hook. Middy reports this name when it times middlewares. */
export function named<F extends (...args: never) => unknown>(name: string, hook: F): F {
  return Object.defineProperty(hook, 'name', { value: name })
}
