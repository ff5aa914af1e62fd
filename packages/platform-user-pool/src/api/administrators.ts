import type { IncomingMessage } from 'node:http'
import { type AccessKey, verifySignature } from '@signalbox/platform-runtime/signature'
import { UserPoolError } from '../user-pool-error.ts'

/**
 * @param key the key of administrators. Without a key, only this machine may call their operations.
 * @throws UserPoolError for a request from a web page, and without a key for one from another machine
 */
export function checkAdminOrigin({ headers, socket }: IncomingMessage, key: AccessKey | undefined): void {
  if (headers.origin !== undefined)
    throw new UserPoolError(
      'AccessDeniedException',
      'Web pages may not use operations that need credentials.',
    )
  if (key !== undefined || isThisMachine(socket.remoteAddress ?? '')) return
  throw new UserPoolError(
    'AccessDeniedException',
    'Operations that need credentials are for this machine only, as long as `userPoolListener.admin` has no key.',
  )
}

function isThisMachine(address: string): boolean {
  return /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)
}

/** @throws UserPoolError for a request that is not signed with the key of administrators */
export function refuseUnsigned(
  { method = '', url = '/', rawHeaders }: IncomingMessage,
  body: Uint8Array,
  key: AccessKey,
  now: number,
): void {
  const checked = verifySignature(
    { method, target: url, headers: rawHeaders, body },
    {
      secretOf: id => (id === key.accessKeyId ? key.secretAccessKey : undefined),
      service: signingService,
      now,
    },
  )
  if ('problem' in checked) throw new UserPoolError(`${checked.problem}Exception`, checked.message)
}

/** The service name in the signatures of requests. */
export const signingService = 'cognito-idp'
