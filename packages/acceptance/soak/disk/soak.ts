import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@signalbox/core'
import { systemRandom } from '@signalbox/platform-runtime'
import { withStoredKeys } from '@signalbox/platform-runtime/platform/testing/parts'
import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { type PlatformProcess, startPlatform } from '../platform-process.ts'
import { type CallAnswer, rootKey, signedCall } from './signed-call.ts'
import { smallDisk } from './small-disk.ts'

const program = new URL('disk-platform.ts', import.meta.url)
const UserPoolId = 'eu-central-1_Staff01'
const ClientId = 'web'
const Password = 'Passw0rd!x'

/** The result of a soak. */
export interface DiskSoakResult {
  /** Accounts that were created before sign-ups were refused. */
  readonly signUps: number
  /** Messages that an identity sent after that, before sends were refused. */
  readonly sends: number
  /** Free megabytes after the clients, after the sends, and after another program had filled the disk. */
  readonly free: readonly [clients: number, sends: number, otherProgram: number]
  readonly violations: readonly string[]
}

/**
 * Lets clients without credentials fill a disk of 48 MB, then an identity with its messages, and then another program the
 * rest. Returns undefined where
 * this user cannot mount such a disk.
 */
export async function diskSoak({
  say,
}: {
  readonly say: (text: string) => void
}): Promise<DiskSoakResult | undefined> {
  using disk = smallDisk(48)
  if (disk === undefined) return undefined
  const megabytes = () => Math.round(disk.free() / 100_000) / 10
  const violations: string[] = []
  const report = (violation: string) => {
    say(violation)
    violations.push(violation)
  }
  let platform = await startPlatform(program, disk.path)
  const restart = async () => {
    await platform.kill()
    platform = await startPlatform(program, disk.path)
  }
  const keys = <T>(work: Parameters<typeof withStoredKeys<T>>[2]) =>
    withStoredKeys(
      { dataDir: join(disk.path, 'data'), storage: undefined, invocationLog: { age: 1, size: 1 } },
      { clock: systemClock, random: systemRandom },
      work,
    )
  const calls = () => callsOf(platform)
  const expectStatus = async (what: string, call: Promise<CallAnswer>, ...statuses: readonly number[]) => {
    const { status, body } = await call
    if (!statuses.includes(status)) report(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    return body
  }
  /** Does what must work while the disk is full, once. */
  const freeSpace = async (when: string, names: readonly string[], handle: string, guest: AccessKey) => {
    await expectStatus(
      `${when}: DeleteMessage`,
      calls().queue('DeleteMessage', { QueueUrl: 'orders', ReceiptHandle: handle }),
      200,
    )
    for (const Username of names)
      await expectStatus(
        `${when}: AdminDeleteUser`,
        calls().admin('AdminDeleteUser', { UserPoolId, Username }),
        200,
      )
    await expectStatus(
      `${when}: AdminUserGlobalSignOut`,
      calls().admin('AdminUserGlobalSignOut', { UserPoolId, Username: 'staff' }),
      200,
    )
    if ((await keys(store => store.list())).length === 0) report(`${when}: access list shows no key`)
    if (!(await keys(store => store.revoke(guest.accessKeyId)))) report(`${when}: access revoke failed`)
    await expectStatus(
      `${when}: a send with a revoked key`,
      calls().queue('SendMessage', { QueueUrl: 'orders', MessageBody: 'x' }, guest),
      403,
    )
  }
  const signIn = () =>
    calls().open('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'staff', PASSWORD: Password },
    })
  const send = (size = 1000) =>
    calls().queue('SendMessage', { QueueUrl: 'orders', MessageBody: 'x'.repeat(size) })
  const receive = async () => {
    const { Messages } = await expectStatus(
      'ReceiveMessage',
      calls().queue('ReceiveMessage', { QueueUrl: 'orders' }),
      200,
    )
    return String((Messages as readonly { readonly ReceiptHandle: string }[])[0]?.ReceiptHandle)
  }
  try {
    await expectStatus(
      'AdminCreateUser',
      calls().admin('AdminCreateUser', { UserPoolId, Username: 'staff', MessageAction: 'SUPPRESS' }),
      200,
    )
    await expectStatus(
      'AdminSetUserPassword',
      calls().admin('AdminSetUserPassword', { UserPoolId, Username: 'staff', Password, Permanent: true }),
      200,
    )
    const add = () => keys(store => store.add('guest'))
    const guests = [await add(), await add(), await add()] as const
    for (let count = 0; count < 4; count++) await expectStatus('SendMessage', send(), 200)

    const names: string[] = []
    await untilRefused(async number => {
      const answer = await calls().open('SignUp', floodingSignUp(number))
      if (answer.status === 200) names.push(`flood${number}`)
      return answer
    }, report)
    say(`${names.length} accounts, then sign-ups are refused: ${megabytes()} MB are free`)
    await expectStatus('sign-in after the sign-ups', signIn(), 200)
    for (let number = 0; number < 200; number += 8)
      await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          expectStatus('a first step of SRP', calls().open('InitiateAuth', firstStepOfSrp(number + at)), 200),
        ),
      )
    const afterClients = megabytes()
    say(`after 200 sign-ins that were begun: ${afterClients} MB are free`)
    await expectStatus('send after the clients', send(), 200)
    await freeSpace('after the clients', names.slice(0, 3), await receive(), guests[0])
    await restart()
    await expectStatus('send after a restart', send(), 200)

    const sends = await untilRefused(() => send(100_000), report)
    const afterSends = megabytes()
    say(`${sends} messages, then sends are refused: ${afterSends} MB are free`)
    await expectStatus('sign-in when sends are refused', signIn(), 503)
    await freeSpace('after the sends', names.slice(3, 6), await receive(), guests[1])

    fillDisk(join(disk.path, 'other'))
    const afterOther = megabytes()
    say(`another program has filled the disk: ${afterOther} MB are free`)
    await expectStatus('send on a full disk', send(), 503)
    await freeSpace('on a full disk', names.slice(6, 9), await receive(), guests[2])
    await restart()
    await expectStatus(
      'AdminDeleteUser after a restart on a full disk',
      calls().admin('AdminDeleteUser', { UserPoolId, Username: names[9] }),
      200,
    )
    await expectStatus(
      'PurgeQueue after a restart on a full disk',
      calls().queue('PurgeQueue', { QueueUrl: 'orders' }),
      200,
    )

    rmSync(join(disk.path, 'other'))
    for (const Username of names.slice(10))
      await expectStatus('AdminDeleteUser', calls().admin('AdminDeleteUser', { UserPoolId, Username }), 200)
    await expectStatus('sign-in after deletions', signIn(), 200)
    await expectStatus('send after deletions', send(), 200)
    await expectStatus('sign-up after deletions', calls().open('SignUp', floodingSignUp(1_000_000)), 200)
    await restart()
    await expectStatus('sign-in after the last restart', signIn(), 200)
    say(`${megabytes()} MB are free in the end`)
    return { signUps: names.length, sends, free: [afterClients, afterSends, afterOther], violations }
  } finally {
    await platform.kill()
  }
}

function callsOf({ url }: PlatformProcess) {
  const [pools = '', queues = ''] = url.split(' ')
  return {
    open: (operation: string, input: object) => signedCall(pools, 'userPools', operation, input),
    admin: (operation: string, input: object) => signedCall(pools, 'userPools', operation, input, rootKey),
    queue: (operation: string, input: object, key = rootKey) =>
      signedCall(queues, 'queues', operation, input, key),
  }
}

/** Calls eight at a time until ten calls were refused for lack of space. Returns the number of calls before that. */
async function untilRefused(
  call: (number: number) => Promise<CallAnswer>,
  report: (violation: string) => void,
): Promise<number> {
  let [taken, refused, others] = [0, 0, 0]
  for (let number = 0; refused < 10 && others < 10; number += 8)
    for (const { status, body } of await Promise.all(
      Array.from({ length: 8 }, (_, at) => call(number + at)),
    )) {
      if (status === 200) taken++
      else if (status === 503) refused++
      else {
        others++
        report(`a flood was answered with ${status} ${JSON.stringify(body).slice(0, 200)}`)
      }
    }
  return taken
}

const attributes =
  'address family_name gender given_name locale middle_name name nickname picture profile website zoneinfo'.split(
    ' ',
  )

function floodingSignUp(number: number) {
  return {
    ClientId,
    Username: `flood${number}`,
    Password,
    UserAttributes: [
      { Name: 'email', Value: `flood${number}@example.com` },
      ...attributes.map(Name => ({ Name, Value: 'v'.repeat(2048) })),
    ],
    ClientMetadata: { text: 'm'.repeat(100_000) },
  }
}

/** The first step of a sign-in, which stores nothing. */
function firstStepOfSrp(number: number) {
  return {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: `user${number}`.padEnd(2048, 'x'), SRP_A: 'ab'.repeat(384) },
  }
}

/** Fills a disk to the last byte, as another program does. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [1024 * 1024, 4096, 1])
      try {
        for (;;) writeSync(file, Buffer.alloc(size, 'x'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
  } finally {
    closeSync(file)
  }
}
