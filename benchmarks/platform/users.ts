import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Credential, User } from '@signalbox/platform-user-pool/store'
import { type PasswordChallenge, power, srpClient } from '@signalbox/platform-user-pool/testing/parts'
import { clientId as ClientId, poolId, poolSetup } from '@signalbox/platform-user-pool/testing/pool-setup'
import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { load } from './load.ts'
import { type Server, startServer } from './server.ts'

/**
 * The number of rounds. It is high, because other work on the machine can change the time of a round by ten percent.
 */
const rounds = 11
const signInsOfRound = 200

/** The number of accounts that sign in. All other accounts only fill the store. */
const active = 50

const fewUsers = 1_000
const manyUsers = 100_000
const manySignIns = 100_000

type Setup = Awaited<ReturnType<typeof poolSetup>>

/** The elapsed time and the processor time of a task, in nanoseconds. */
interface Cost {
  readonly wall: number
  readonly processor: number
}

/**
 * Measures sign-ins at a user pool, compared with their cryptography alone, with cognito-local, and with a full
 * store.
 */
export async function users(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const limit = bareLimit(join(folder, 'limit.sqlite'))
    await using few = await filledPool(join(folder, 'few.sqlite'), fewUsers, 0)
    await using many = await filledPool(join(folder, 'many.sqlite'), manyUsers, 0)
    await using old = await filledPool(join(folder, 'old.sqlite'), fewUsers, manySignIns)
    const works: { readonly [name: string]: () => Promise<Cost> | Cost } = {
      limit,
      srp: () => bySrp(few),
      few: () => byPassword(few),
      many: () => byPassword(many),
      old: () => byPassword(old),
    }
    const costs = Object.fromEntries(Object.keys(works).map(name => [name, [] as Cost[]]))
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++)
      for (const [name, work] of Object.entries(works)) {
        const cost = await work()
        if (round > 0) costs[name]!.push(cost)
      }
    return tabulate(costs, await overHttp())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Measures the minimum time of a sign-in with SRP: three modular exponentiations, two signatures, and a
 * durable commit.
 */
function bareLimit(path: string): () => Cost {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table tokens (id text primary key, value text not null) strict, without rowid')
  const insert = database.prepare('insert into tokens values (?, ?)')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const base = 2n ** 3000n - 1n
  // The exponent is as random as in SRP. A number with few 1 bits would take a fifth less time.
  const exponent = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const claims = Buffer.from('x'.repeat(700))
  let number = 0
  return () =>
    measuredSync(() => {
      for (let i = 0; i < signInsOfRound; i++) {
        for (let powers = 0; powers < 3; powers++) power(base + BigInt(number), exponent)
        for (let signatures = 0; signatures < 2; signatures++) sign('sha256', claims, privateKey)
        insert.run(`token ${number++}`, 'x'.repeat(200))
      }
    })
}

/** Creates a user pool in a file, with accounts and the tokens of earlier sign-ins. */
async function filledPool(path: string, count: number, signIns: number): Promise<Setup> {
  const setup = await poolSetup({ database: new DatabaseSync(path) })
  for (let number = 0; number < active; number++) await setup.user(`user${number}`)
  const now = setup.clock.now()
  const [{ id = '', revision: _, ...first }] = (await setup.store.users(poolId, { limit: 1 })) as [
    User & { revision: number },
  ]
  const perChange = 1000
  for (let made = active; made < count; made += perChange)
    await done(setup, {
      users: Array.from({ length: Math.min(perChange, count - made) }, (_, at) => {
        const name = `filler${made + at}`
        return { user: { ...first, id: `id-${name}`, name, signInNames: [name] }, was: undefined }
      }),
    })
  // Each sign-in stores a grant and a refresh token.
  const later = now + 30 * 24 * 3_600_000
  for (let made = 0; made < signIns; made += perChange)
    await done(setup, {
      adds: Array.from({ length: perChange }, (_, at): Credential[] => {
        const credential = { user: id, expires: later, value: 'x'.repeat(160) }
        return [
          { ...credential, kind: 'grant', id: `grant-${made + at}` },
          { ...credential, kind: 'refresh', id: `refresh-${made + at}` },
        ]
      }).flat(),
    })
  return setup

  async function done({ store }: Setup, change: object): Promise<void> {
    const refusal = await store.change({ pool: poolId, now, ...change })
    if (refusal !== undefined) throw new Error(`The store could not be filled: ${refusal}`)
  }
}

let turn = 0
const nextUser = () => `user${turn++ % active}`

/**
 * Measures only the two steps of the service, because the cryptography of the client would take just as much time. It
 * measures all sign-ins together, because reading the processor time also takes time.
 */
async function bySrp(setup: Setup): Promise<Cost> {
  const begun: {
    readonly client: ReturnType<typeof srpClient>
    readonly user: string
    challenge?: PasswordChallenge
  }[] = Array.from({ length: signInsOfRound }, () => ({
    client: srpClient(poolId, setup.password),
    user: nextUser(),
  }))
  const first = await measured(async () => {
    for (const each of begun) {
      const AuthParameters = { USERNAME: each.user, SRP_A: each.client.SRP_A }
      const answer = await setup.call('InitiateAuth', { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters })
      each.challenge = answer.ChallengeParameters
    }
  })
  const proofs = begun.map(({ client, challenge }) => client.prove(challenge!))
  const second = await measured(async () => {
    for (const ChallengeResponses of proofs)
      await setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ChallengeResponses,
      })
  })
  return {
    wall: (first.wall + second.wall) / signInsOfRound,
    processor: (first.processor + second.processor) / signInsOfRound,
  }
}

async function byPassword(setup: Setup): Promise<Cost> {
  const { wall, processor } = await measured(async () => {
    for (let i = 0; i < signInsOfRound; i++) await setup.signIn(nextUser())
  })
  return { wall: wall / signInsOfRound, processor: processor / signInsOfRound }
}

function measuredSync(work: () => void): Cost {
  const [started, used] = [process.hrtime.bigint(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(used)
  const wall = Number(process.hrtime.bigint() - started)
  return { wall: wall / signInsOfRound, processor: ((user + system) * 1000) / signInsOfRound }
}

async function measured(work: () => Promise<void>): Promise<Cost> {
  const [started, used] = [process.hrtime.bigint(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: Number(process.hrtime.bigint() - started), processor: (user + system) * 1000 }
}

/** The figures of a service that runs in a separate process. Its users sign in with a password over HTTP. */
interface Served {
  readonly name: string
  readonly role: Row['role']
  readonly perSecond: number[]
  readonly processor: number[]
}

const signInsOverHttp = 600
const roundsOverHttp = 5

async function overHttp(): Promise<readonly Served[]> {
  const served: readonly Served[] = [
    { name: 'Signalbox, over HTTP', role: 'ours', perSecond: [], processor: [] },
    { name: 'cognito-local, over HTTP', role: 'peer', perSecond: [], processor: [] },
  ]
  const servers = await Promise.all([startServer('user-pool'), startServer('cognito-local')])
  try {
    const requests = [
      await signInRequest(servers[0]!, 'eu-central-1_Staff01', 'web'),
      await ofPeer(servers[1]!),
    ]
    for (let round = 0; round <= roundsOverHttp; round++)
      for (const [position, server] of servers.entries()) {
        const before = await server.usage('processor')
        const { requests: count, perSecond } = await load(
          server.url,
          { amount: signInsOverHttp },
          requests[position]!,
        )
        const after = await server.usage('processor')
        if (round === 0) continue
        served[position]!.perSecond.push(perSecond)
        served[position]!.processor.push(((after.processor - before.processor) * 1000) / count)
      }
    return served
  } finally {
    await Promise.all(servers.map(server => server.end()))
  }
}

const headersOf = (operation: string) => ({
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  authorization: 'none',
})

// biome-ignore lint/suspicious/noExplicitAny: the answers of another program.
async function call({ url }: Server, operation: string, input: object): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: headersOf(operation),
    body: JSON.stringify(input),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${url}: ${operation}: ${JSON.stringify(answer)}`)
  return answer
}

async function ofPeer(server: Server) {
  const { UserPool } = await call(server, 'CreateUserPool', { PoolName: 'staff' })
  const { UserPoolClient } = await call(server, 'CreateUserPoolClient', {
    UserPoolId: UserPool.Id,
    ClientName: 'web',
  })
  return signInRequest(server, UserPool.Id, UserPoolClient.ClientId)
}

/** Creates a user, and returns the request for its sign-in. */
async function signInRequest(server: Server, UserPoolId: string, ClientId: string) {
  const Password = 'Right-7even'
  const who = { UserPoolId, Username: 'ann@example.com' }
  const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
  await call(server, 'AdminCreateUser', { ...who, UserAttributes, MessageAction: 'SUPPRESS' })
  await call(server, 'AdminSetUserPassword', { ...who, Password, Permanent: true })
  const input = {
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'ann@example.com', PASSWORD: Password },
  }
  const answer = await call(server, 'InitiateAuth', input)
  if (!answer.AuthenticationResult?.AccessToken) throw new Error(`${server.url} gives no tokens`)
  return { method: 'POST', headers: headersOf('InitiateAuth'), body: JSON.stringify(input) } as const
}

function tabulate(costs: { readonly [name: string]: readonly Cost[] }, served: readonly Served[]): Table {
  const ratio = (of: string, to: string) =>
    spread(costs[of]!.map(({ processor }, round) => costs[to]![round]!.processor / processor))
  const one = spread(costs.limit!.map(() => 1))
  const row = (setup: string, contender: string, role: Row['role'], of: string, to: string): Row => ({
    setup,
    contender,
    role,
    figures: {
      perSecond: spread(costs[of]!.map(({ wall }) => 1e9 / wall)),
      processor: spread(costs[of]!.map(({ processor }) => processor)),
      ratio: of === to ? one : ratio(of, to),
    },
  })
  const [ours, peer] = served as [Served, Served]
  const toPeer = spread(ours.processor.map((each, round) => peer.processor[round]! / each))
  const [srp, byUsers, bySignIns] = [ratio('srp', 'limit'), ratio('many', 'few'), ratio('old', 'few')]
  return {
    name: 'users',
    title: 'Platform: sign-ins at a user pool',
    about:
      'One sign-in after the other, every commit on the disk, no triggers; of SRP, the two steps of the service without those of the client. Over HTTP, 32 connections sign one user in. Ratios are of the processor time.',
    columns: [
      { key: 'perSecond', title: 'sign-ins', unit: 'per second' },
      { key: 'processor', title: 'processor time each', unit: 'ns' },
      { key: 'ratio', title: '× the first', unit: 'ratio' },
    ],
    rows: [
      row('SRP', 'three powers, two signatures, one commit', 'limit', 'limit', 'limit'),
      row('SRP', 'Signalbox', 'ours', 'srp', 'limit'),
      row('password', `${thousands(fewUsers)} users`, 'ours', 'few', 'few'),
      row('password', `${thousands(manyUsers)} users`, 'ours', 'many', 'few'),
      row('password', `${thousands(manySignIns)} sign-ins before`, 'ours', 'old', 'few'),
      ...[peer, ours].map(
        ({ name, role, perSecond, processor }): Row => ({
          setup: 'password, over HTTP',
          contender: name,
          role,
          figures: {
            perSecond: spread(perSecond),
            processor: spread(processor),
            ratio: role === 'ours' ? toPeer : one,
          },
        }),
      ),
    ],
    goals: [
      {
        goal: 'SRP sign-ins at least 0.6 × the bare limit',
        figure: srp,
        unit: 'ratio',
        reached: srp.median >= 0.6,
        reason:
          'The powers, signatures and the commit of SRP have to be the larger part, beside the claims of two tokens, a sealed block, hashes, and the reads of the account.',
      },
      {
        goal: 'password sign-ins at least 2 × cognito-local',
        figure: toPeer,
        unit: 'ratio',
        reached: toPeer.median >= 2,
        reason: 'Two signatures and a power are most of a sign-in, and cognito-local compares plain text.',
      },
      {
        goal: 'as fast with 100,000 users as with 1,000 (at least 0.9 ×)',
        figure: byUsers,
        unit: 'ratio',
        reached: byUsers.median >= 0.9,
        reason: 'The indexes are a level deeper.',
      },
      {
        goal: 'as fast after 100,000 sign-ins (at least 0.9 ×)',
        figure: bySignIns,
        unit: 'ratio',
        reached: bySignIns.median >= 0.9,
        reason: 'The indexes are a level deeper.',
      },
    ],
  }
}

const thousands = (count: number) => count.toLocaleString('en')
