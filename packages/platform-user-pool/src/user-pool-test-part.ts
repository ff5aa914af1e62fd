import { type TestPart, testRoute } from '@signalbox/platform-runtime'
import { ApiError, RefusedError, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { consoleUserPools } from './console/console-user-pools.ts'
import type { OpenUserPools } from './open-user-pools.ts'

/** The maximum number of users in one answer. */
const mostListed = 1000

/**
 * User pools in the test interface. Codes are not masked, because a test has to enter them.
 * @param isShared whether other platforms may use the same user pools
 */
export function userPoolTestPart(opened: () => OpenUserPools | undefined, isShared: boolean): TestPart {
  const pools = consoleUserPools(opened)
  return {
    name: 'user-pools',
    isShared,
    routes: [
      testRoute('GET', '/pools', {}, pools.list),
      testRoute(
        'GET',
        '/pools/{pool}/messages',
        { to: t.string, last: wholeNumber },
        async ({ params: { pool }, fields: { to, last = 100 } }) =>
          (await known(pools.messages(pool)))
            .filter(message => to === undefined || message.to === to)
            .slice(0, Math.min(last, mostListed)),
      ),
      testRoute(
        'GET',
        '/pools/{pool}/users',
        { search: t.string, after: t.string, last: wholeNumber },
        ({ params: { pool }, fields: { search = '', after, last = 100 } }) =>
          known(pools.users(pool, { search, after, last: Math.min(last, mostListed) })),
      ),
    ],
    reset: async () => opened()?.engine.clear(),
  }
}

/** An unknown pool is a wrong path. */
async function known<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof RefusedError ? new ApiError(404, error.message, { cause: error }) : error
  }
}
