import type { OutboundMailer, SourceContext } from '@signalbox/platform-runtime'
import { isOwnHost } from '@signalbox/platform-runtime/listener'
import { masterKey, vault } from '@signalbox/platform-runtime/secrets'
import { userPoolListener } from './api/listener/listener.ts'
import type { UserPoolsSettings } from './config/user-pools-part.ts'
import { type Engine, userPoolEngine } from './engine.ts'
import { codeKey, codeKeyVariable } from './secrets/encrypted-code.ts'
import type { UserPoolStore } from './store/user-pool-store.ts'
import { userPoolKeyVariable } from './user-pool-key-variable.ts'

/** The open user pools, with the URL of their listener. */
export interface OpenUserPools {
  readonly url: string
  readonly engine: Engine
  readonly stop: (grace: number) => Promise<void>
}

/**
 * Starts the engine and its listener. Closes the store if one of them cannot start.
 * @param keyFolder the folder with the key file. Undefined if the key must come from the environment.
 */
export async function openUserPools(
  { pools, listener: address, location }: UserPoolsSettings,
  store: UserPoolStore,
  keyFolder: string | undefined,
  context: SourceContext,
  mailer: OutboundMailer | undefined,
  environment: { [name: string]: string },
): Promise<OpenUserPools> {
  let url = ''
  let engine: Engine | undefined
  const listener = userPoolListener(address, () => engine!, { ...context, clock: context.machineClock })
  try {
    engine = userPoolEngine({
      pools,
      store,
      vault: vault(secretKey(keyFolder, context.random), context.random),
      context,
      mailer,
      location,
      privateProviderHosts: address.privateProviderHosts,
      issuer: pool => `${address.issuer ?? url}/${pool.id}`,
      hasForeignIssuer:
        address.issuer !== undefined && !isOwnHost(new URL(address.issuer).host, address.host, address.names),
    })
    environment[codeKeyVariable] = codeKey(engine.vault).toString('base64')
    // No request has been served yet, so only messages from before the start are resumed.
    await engine.start()
    url = await listener.start()
    if (mailer === undefined)
      context.notice(
        'User pools send no e-mail, because the configuration has no mail: their messages are kept, and `signalbox texts POOL` shows them.',
      )
  } catch (error) {
    await listener.stop(0)
    await engine?.stop()
    await store.close()
    throw error
  }
  const opened = engine
  return {
    url,
    engine: opened,
    async stop(grace) {
      await listener.stop(grace)
      await opened.stop()
      await opened.store.close()
    },
  }
}

/**
 * Reads the key that encrypts all secrets. Platforms that share a database need the same key, so they cannot use a
 * key file on one machine.
 */
function secretKey(folder: string | undefined, random: SourceContext['random']): Buffer {
  const fromEnvironment = process.env[userPoolKeyVariable]
  if (folder === undefined && fromEnvironment === undefined)
    throw new Error(
      `User pools in a shared database need one key for all platforms. Set the environment variable ${userPoolKeyVariable} to 32 random bytes in base64, such as the output of: openssl rand -base64 32`,
    )
  return masterKey(folder ?? '', fromEnvironment, userPoolKeyVariable, random)
}
