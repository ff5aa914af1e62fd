import * as t from 'io-ts'
import { domainForm } from '../../../config/user-pool-config.ts'
import type { CreatedPool, PoolPart } from '../../../created-pools/created-pool.ts'
import { updatedFields } from '../../../created-pools/omitted-fields.ts'
import type { Engine } from '../../../engine.ts'
import type { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { admin, type Operations } from '../operation.ts'
import { missing } from './pool-parts.ts'
import { refuseConfigured } from './refuse-configured.ts'

const domain = { Domain: t.string, UserPoolId: t.string }
const domainMore = { CustomDomainConfig: t.type({ CertificateArn: t.string }), ManagedLoginVersion: t.number }

/** Operations on the domains of pools created through the API. */
export const domainOperations: Operations = {
  CreateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    refuseConfigured(engine, input.UserPoolId)
    refuseBadDomain(engine, input)
    const own = engine.createdPools.get(input.UserPoolId)
    if ((own && kindOf(own, input.Domain)) !== undefined || isTaken(engine, input)) throw taken(input.Domain)
    const answer = await setDomain(engine, input)
    // A simultaneous request, perhaps to another platform on the same database, might have taken the domain, too.
    if (!isTaken(engine, input)) return answer
    await removeDomain(engine, input)
    throw taken(input.Domain)
  }),

  UpdateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    if (kindOf(refuseConfigured(engine, input.UserPoolId), input.Domain) === undefined)
      throw missing('domain', input.Domain)
    return setDomain(engine, input)
  }),

  DeleteUserPoolDomain: admin(fields(domain, {}), async (engine, input) => {
    await removeDomain(engine, input)
    return {}
  }),

  DescribeUserPoolDomain: admin(
    fields({ Domain: t.string }, {}),
    async (engine, { Domain }) => {
      const found = owner(engine, Domain)
      const kind = found && kindOf(found, Domain)
      if (found === undefined || kind === undefined) return { DomainDescription: {} }
      return {
        DomainDescription: {
          Domain,
          UserPoolId: found.id,
          AWSAccountId: engine.account,
          Status: 'ACTIVE',
          ...found[kind]!.requested,
        },
      }
    },
    (engine, { Domain }) => owner(engine, String(Domain))?.id,
  ),
}

function owner(engine: Engine, name: string): CreatedPool | undefined {
  return engine.createdPools.all().find(each => kindOf(each, name) !== undefined)
}

/** The two domains that a pool can have. */
const kinds = ['domain', 'customDomain'] as const

/** Returns which domain of a pool has this name. */
function kindOf(createdPool: CreatedPool, name: string): (typeof kinds)[number] | undefined {
  return kinds.find(kind => createdPool[kind]?.name === name)
}

/**
 * Returns whether another pool, created through the API or configured, answers at a host of a domain. A pool answers at
 * each host whose first label is its domain, so a whole host with this label would take requests from that pool.
 */
function isTaken({ pools }: Engine, { UserPoolId, Domain, CustomDomainConfig }: DomainInput): boolean {
  const others = pools.filter(({ id }) => id !== UserPoolId)
  return CustomDomainConfig === undefined
    ? others.some(({ domain, customDomain }) => domain === Domain || customDomain?.startsWith(`${Domain}.`))
    : others.some(({ domain, customDomain }) => customDomain === Domain || domain === Domain.split('.')[0])
}

function taken(name: string): UserPoolError {
  return invalidParameter(`The domain ${name} already exists.`)
}

/** A whole host name. Its last label is no number, as that of an address is. */
const customForm = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/

/** The words that the service reserves for itself, between hyphens. Other words may contain them. */
const reserved = /(?:^|-)(?:aws|amazon|cognito)(?:-|$)/

/**
 * Refuses a name that is no domain of a pool. A number could be mistaken for the first part of an address, such as
 * `127`, and the platform's own name is the platform's.
 * @throws UserPoolError
 */
function refuseBadDomain(
  engine: Engine,
  { UserPoolId, Domain: name, CustomDomainConfig: custom }: DomainInput,
): void {
  if (custom !== undefined && !customForm.test(name))
    throw invalidParameter(
      'Custom domain is not a valid subdomain. It must be a whole host name in lower case, such as auth.example.com.',
    )
  if (custom === undefined && !domainForm.test(name))
    throw invalidParameter(
      "1 validation error detected: Value at 'domain' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?$",
    )
  if (custom === undefined && reserved.test(name))
    throw invalidParameter('Domain cannot contain reserved word: aws, amazon or cognito.')
  const { hostname } = new URL(engine.issuer(engine.poolOf(UserPoolId)))
  if (/^\d+$/.test(name) || name === hostname || name === hostname.split('.')[0] || name === 'localhost')
    throw invalidParameter(`The domain ${name} is a part of the platform's own address.`)
}

async function removeDomain(
  engine: Engine,
  { UserPoolId, Domain }: Pick<DomainInput, 'UserPoolId' | 'Domain'>,
): Promise<void> {
  const kind = kindOf(refuseConfigured(engine, UserPoolId), Domain)
  if (kind === undefined) throw missing('domain', Domain)
  await engine.createdPools.change(UserPoolId, createdPool => ({ ...createdPool, [kind]: undefined }))
}

interface DomainInput {
  readonly UserPoolId: string
  readonly Domain: string
  readonly CustomDomainConfig?: object
  readonly ManagedLoginVersion?: number
}

async function setDomain(engine: Engine, { UserPoolId, Domain, ...requested }: DomainInput): Promise<object> {
  const now = engine.clock.now()
  refuseConfigured(engine, UserPoolId)
  await engine.createdPools.change(UserPoolId, createdPool => {
    const added = requested.CustomDomainConfig === undefined ? 'domain' : 'customDomain'
    const kind = kindOf(createdPool, Domain) ?? added
    const before = createdPool[kind]
    if (before !== undefined && before.name !== Domain)
      throw invalidParameter(`The user pool ${UserPoolId} already has the domain ${before.name}.`)
    const updated = updatedFields('UpdateUserPoolDomain', before?.requested ?? {}, requested)
    const part: PoolPart = {
      name: Domain,
      created: before?.created ?? now,
      modified: now,
      requested: updated,
    }
    return { ...createdPool, [kind]: part }
  })
  return { CloudFrontDomain: new URL(engine.issuer(engine.poolOf(UserPoolId))).host }
}
