import type { ConsoleUserPools, PoolMessage } from './user-pool-port.ts'

/** What a visitor who may not act sees instead of a message of a user pool. */
const hidden = 'This message of a user pool is hidden, because seeing it needs the right to act.'

/**
 * Returns the user pools for a visitor who may only read. Codes, messages and the parameters of challenges are hidden: a visitor who could read the
 * code of a password reset would become that user.
 */
export function readablePools(pools: ConsoleUserPools): ConsoleUserPools {
  return {
    ...pools,
    messages: async pool => (await pools.messages(pool)).map(withoutContents),
    challenges: async pool =>
      (await pools.challenges(pool)).map(each => ({ ...each, parameters: undefined })),
    async user(pool, name) {
      const found = await pools.user(pool, name)
      return found && { ...found, messages: found.messages.map(withoutContents) }
    },
  }
}

function withoutContents({ to, medium, occasion, at }: PoolMessage): PoolMessage {
  return { to, medium, occasion, at, subject: undefined, text: hidden, code: undefined }
}
