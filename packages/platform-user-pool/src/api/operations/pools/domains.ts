import * as t from 'io-ts'
import type { CreatedPool } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../flows/accounts/accounts.ts'
import { fields } from '../../wire/inputs.ts'
import { admin, type Operations } from '../operation.ts'
import { missing } from './pool-parts.ts'
import { refuseConfigured } from './refuse-configured.ts'

const domain = { Domain: t.string, UserPoolId: t.string }
const domainMore = { CustomDomainConfig: t.type({ CertificateArn: t.string }), ManagedLoginVersion: t.number }

/** Operations on the domains of pools created through the API. */
export const domainOperations: Operations = {
  CreateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    if (owner(engine, input.Domain) !== undefined)
      throw invalidParameter(`The domain ${input.Domain} already exists.`)
    return setDomain(engine, input)
  }),

  UpdateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    if (refuseConfigured(engine, input.UserPoolId).domain?.name !== input.Domain)
      throw missing('domain', input.Domain)
    return setDomain(engine, input)
  }),

  DeleteUserPoolDomain: admin(fields(domain, {}), async (engine, { UserPoolId, Domain }) => {
    if (refuseConfigured(engine, UserPoolId).domain?.name !== Domain) throw missing('domain', Domain)
    await engine.createdPools.change(UserPoolId, createdPool => ({ ...createdPool, domain: undefined }))
    return {}
  }),

  DescribeUserPoolDomain: admin(
    fields({ Domain: t.string }, {}),
    async (engine, { Domain }) => {
      const found = owner(engine, Domain)
      if (found?.domain === undefined) return { DomainDescription: {} }
      return {
        DomainDescription: {
          Domain,
          UserPoolId: found.id,
          AWSAccountId: engine.account,
          Status: 'ACTIVE',
          ...found.domain.requested,
        },
      }
    },
    (engine, { Domain }) => owner(engine, String(Domain))?.id,
  ),
}

function owner(engine: Engine, name: string): CreatedPool | undefined {
  return engine.createdPools.all().find(each => each.domain?.name === name)
}

async function setDomain(
  engine: Engine,
  { UserPoolId, Domain, ...requested }: { readonly UserPoolId: string; readonly Domain: string },
): Promise<object> {
  refuseConfigured(engine, UserPoolId)
  const now = engine.clock.now()
  await engine.createdPools.change(UserPoolId, createdPool => ({
    ...createdPool,
    domain: { name: Domain, created: createdPool.domain?.created ?? now, modified: now, requested },
  }))
  return { CloudFrontDomain: new URL(engine.issuer(engine.poolOf(UserPoolId))).host }
}
