import { request } from 'node:http'
import { expect, it } from '@jest/globals'
import { listeningPool } from '../../../testing/listening-pool.ts'
import { configProblems } from '../../../testing/pool-program.ts'

type Answer = { readonly [field: string]: unknown }

async function setupOf() {
  const running = await listeningPool({ domain: 'staff' })
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    const answer = await fetch(running.url, { method: 'POST', headers, body: JSON.stringify(input) })
    return (await answer.json()) as Answer
  }
  const newPool = async () => {
    const { UserPool } = await call('CreateUserPool', { PoolName: 'made' })
    return (UserPool as { readonly Id: string }).Id
  }
  /** Resolves to the issuer of the pool that answers at a host name. */
  const issuerAt = (host: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const { port } = new URL(running.url)
      const sent = request(
        { port, host: '127.0.0.1', path: '/.well-known/openid-configuration', headers: { host } },
        async response => {
          const text = (await response.toArray()).join('')
          resolve((JSON.parse(text) as { readonly issuer?: string }).issuer)
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  return { call, newPool, issuerAt, [Symbol.asyncDispose]: running[Symbol.asyncDispose] }
}

it('a pool cannot take any text as its domain', async () => {
  await using setup = await setupOf()
  const UserPoolId = await setup.newPool()
  const wrong = ['127', '0', '../x', 'a.b', 'x"y', 'STAFF', '', '-a', 'a-', 'a'.repeat(64), 'my-cognito']
  for (const Domain of [...wrong, 'localhost'])
    expect((await setup.call('CreateUserPoolDomain', { UserPoolId, Domain })).__type).toBe(
      'InvalidParameterException',
    )
  expect(await setup.issuerAt('127.0.0.1')).toBeUndefined()
  const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/one' }
  for (const Domain of ['127.0.0.1', 'login', '../login.example'])
    expect(
      await setup.call('CreateUserPoolDomain', { UserPoolId, Domain, CustomDomainConfig }),
    ).toMatchObject({
      __type: 'InvalidParameterException',
      message: expect.stringMatching(/^Custom domain is not a valid subdomain/),
    })
  // A reserved word within another one is none.
  const within = { UserPoolId: await setup.newPool(), Domain: 'my-awsome-shop' }
  expect((await setup.call('CreateUserPoolDomain', within)).__type).toBeUndefined()
  const own = { UserPoolId, Domain: 'login.example.com', CustomDomainConfig }
  expect((await setup.call('CreateUserPoolDomain', own)).__type).toBeUndefined()
})

it('a pool cannot take the domain of another pool, configured or created', async () => {
  await using setup = await setupOf()
  const [one, two] = [await setup.newPool(), await setup.newPool()]
  const create = (UserPoolId: string, Domain: string) =>
    setup.call('CreateUserPoolDomain', { UserPoolId, Domain })
  expect((await create(one, 'staff')).message).toBe('The domain staff already exists.')
  expect((await create(one, 'shop')).__type).toBeUndefined()
  expect((await create(two, 'shop')).message).toBe('The domain shop already exists.')
  expect(await setup.issuerAt('shop.localhost')).toContain(one)
  expect(await setup.issuerAt('staff.localhost')).toContain('Staff01')
  // At most one of several simultaneous requests gets a domain.
  const answers = await Promise.all([create(one, 'both'), create(two, 'both')])
  expect(answers.filter(({ __type }) => __type === undefined).length).toBeLessThan(2)
})

it('a pool cannot take the host of another pool’s domain as its custom domain', async () => {
  await using setup = await setupOf()
  const [one, two] = [await setup.newPool(), await setup.newPool()]
  const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/one' }
  const create = (UserPoolId: string, Domain: string) =>
    setup.call('CreateUserPoolDomain', {
      UserPoolId,
      Domain,
      ...(Domain.includes('.') && { CustomDomainConfig }),
    })
  expect((await create(one, 'staff.localhost')).message).toBe('The domain staff.localhost already exists.')
  expect(await setup.issuerAt('staff.localhost')).toContain('Staff01')
  // Nor can a pool take the host before the other pool has the domain.
  expect((await create(one, 'shop.localhost')).__type).toBeUndefined()
  expect((await create(two, 'shop')).message).toBe('The domain shop already exists.')
  expect((await create(one, 'shop')).__type).toBeUndefined()
  expect((await create(one, 'shop')).message).toBe('The domain shop already exists.')
  expect(await setup.issuerAt('shop.localhost')).toContain(one)
})

it('two pools of a configuration cannot have the same domain', () => {
  const pool = { clients: { web: {} }, domain: 'staff' }
  expect(configProblems({ userPools: { one: pool, two: pool } } as never)).toMatchObject([
    { pointer: '/userPools/two/domain' },
  ])
})
