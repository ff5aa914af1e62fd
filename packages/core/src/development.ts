/**
 * Returns whether `NODE_ENV` is `development`. In development, errors and warnings may contain more details.
 * @example
 * ```ts
 * import { inDevelopment } from '@signalbox/core'
 *
 * if (inDevelopment()) console.warn('The key of this session is for development only.')
 * ```
 */
export function inDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/**
 * Returns whether `NODE_ENV` is `development` or `test`. Slower checks are acceptable there.
 * @example
 * ```ts
 * import { inDevelopmentOrTest } from '@signalbox/core'
 *
 * const checkAnswer = inDevelopmentOrTest() ? (answer: object) => JSON.stringify(answer) : undefined
 * ```
 */
export function inDevelopmentOrTest(): boolean {
  return /^(?:development|test)$/.test(process.env.NODE_ENV ?? '')
}
