import * as t from 'io-ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { invalidParameter } from '../../users/attributes.ts'

/** Loads the library only when a passkey is first used, because most platforms never need it. */
export function webAuthn() {
  return import('@simplewebauthn/server')
}

const response = { id: t.string, rawId: t.string, type: t.literal('public-key') }
const responseMore = { authenticatorAttachment: t.string }

/** A browser's response with a new passkey, as WebAuthn JSON. */
export const registrationResponse = t.intersection([
  t.type({
    ...response,
    response: t.intersection([
      t.type({ clientDataJSON: t.string, attestationObject: t.string }),
      t.partial({ transports: t.array(t.string) }),
    ]),
  }),
  t.partial(responseMore),
])

/** A browser's response with a signature by a passkey. */
const authenticationResponse = t.intersection([
  t.type({
    ...response,
    response: t.intersection([
      t.type({ clientDataJSON: t.string, authenticatorData: t.string, signature: t.string }),
      t.partial({ userHandle: t.string }),
    ]),
  }),
  t.partial(responseMore),
])

export type RegistrationResponse = t.TypeOf<typeof registrationResponse>
export type AuthenticationResponse = t.TypeOf<typeof authenticationResponse>

/** The browser's data about the page that has used a passkey. */
export interface ClientData {
  readonly origin: string
  /** Whether the page was in a frame on another site. */
  readonly crossOrigin: boolean | undefined
}

const clientData = t.intersection([t.type({ origin: t.string }), t.partial({ crossOrigin: t.boolean })])

/**
 * Reads the client data, in which the browser describes the page.
 * @throws UserPoolError for malformed data
 */
export function clientDataOf(base64url: string): ClientData {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'))
    if (clientData.is(value)) return { origin: value.origin, crossOrigin: value.crossOrigin }
  } catch {
    // The error below also covers malformed data.
  }
  throw invalidParameter('The clientDataJSON of the credential is not valid.')
}

/** Returns the domain of a pool's passkeys. `localhost` replaces an IP address, which is not a domain. */
export function relyingPartyOf({ issuer }: Pick<EngineContext, 'issuer'>, pool: PoolSettings): string {
  const { hostname } = new URL(issuer(pool))
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return pool.passkeys.relyingParty ?? (isAddress ? 'localhost' : hostname)
}

/**
 * Returns whether pages of an origin may use a relying party's passkeys. The origin must belong to its domain or to a
 * subdomain.
 */
export function isOriginOf(origin: string, relyingParty: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, origin: own } = new URL(origin)
  if (own !== origin) return false
  if (hostname !== relyingParty && !hostname.endsWith(`.${relyingParty}`)) return false
  return protocol === 'https:' || (protocol === 'http:' && /(^|\.)localhost$/.test(hostname))
}

/**
 * Removes the attestation from the answer with a new passkey. An attestation names the maker of the authenticator.
 * Pools do not request one, so checking its certificates would be wasted work.
 * @throws UserPoolError for an answer that cannot be read
 */
export async function withoutAttestation({ id, rawId, type, response }: RegistrationResponse) {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers')
  const { clientDataJSON, attestationObject: encoded } = response
  try {
    const authData = isoCBOR.decodeFirst<Map<string, unknown>>(bytes(encoded)).get('authData')
    if (!(authData instanceof Uint8Array)) throw authData
    const parts = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const attestationObject = Buffer.from(isoCBOR.encode(parts)).toString('base64url')
    return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } }
  } catch {
    throw invalidParameter('The attestationObject of the credential is not valid.')
  }
}

/** Decodes base64url into a new buffer, because the library refuses a view of a larger buffer. */
export function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}

/**
 * Reads a passkey's signature from the JSON of a credential.
 * @throws UserPoolError for text that is not such a credential
 */
export function credentialIn(text: string): AuthenticationResponse {
  return read(authenticationResponse, text)
}

/**
 * Reads a new passkey from the JSON of a credential.
 * @throws UserPoolError for text that is not such a credential
 */
export function newCredentialIn(text: string): RegistrationResponse {
  return read(registrationResponse, text)
}

function read<A>(codec: t.Type<A, unknown, unknown>, text: string): A {
  try {
    const value: unknown = JSON.parse(text, (_name, each) => each ?? undefined)
    if (codec.is(value)) return value
  } catch {
    // The error below also covers malformed data.
  }
  throw invalidParameter('CREDENTIAL is not the JSON of a credential.')
}
