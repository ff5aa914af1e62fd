import type { Config } from '@signalbox/platform'

/**
 * Returns the configuration of a platform with mailboxes and a user pool. The function `words` writes the messages of
 * the pool.
 */
export function mailingPool(dataDir: string, handler: (event: never) => unknown): Config {
  return {
    functions: { words: { handler } },
    mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
    userPools: {
      staff: {
        from: 'Staff <staff@office.example>',
        triggers: { CustomMessage: 'words' },
        clients: { web: { flows: ['password'] } },
      },
    },
    userPoolListener: { port: 0 },
    control: { port: 0 },
    dataDir,
    grace: 1,
  } as Config
}
