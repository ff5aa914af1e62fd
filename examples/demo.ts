import { errorPayload, readPayload } from '@signalbox/core/payload'
import { invocationContext } from '@signalbox/core/testing'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import type { QueueEvent } from '@signalbox/queue/contract'
import { openPlatform } from './example-platform.ts'
import type { Scene } from './scene.ts'
import { visit } from './sign-up/visit.ts'

/** The programs that the demo plays, in order. Each has a folder that contains its scenes. */
const programs = [
  { folder: 'sign-up', title: 'A user pool asks before it lets anybody in' },
  { folder: 'orders', title: 'A queue hands over a batch' },
  { folder: 'mailroom', title: 'Mail arrives and wants a decision' },
  { folder: 'shop', title: 'A load balancer passes on HTTP' },
  { folder: 'moving', title: 'Routes move from the router of middy, one at a time' },
  { folder: 'everything', title: 'One function serves all four' },
]

/** The programs that the demo also runs on the platform, with each function in its own process. */
const onPlatform = [
  { folder: 'shop', title: 'HTTP over real connections, to a load balancer of either kind' },
  { folder: 'sign-up', title: 'Triggers, invoked' },
  { folder: 'orders', title: 'Messages, sent to queues by a stock SQS client' },
  { folder: 'mailroom', title: 'Mails, sent by a stock SMTP client, into mailboxes' },
]

const paint = (code: number) => (text: string) =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text
const bold = paint(1)
const dim = paint(2)
const red = paint(31)
const green = paint(32)

async function answer({ handler, event }: Scene): Promise<string> {
  try {
    // As on a platform, the function gets JSON, and its result is serialized to JSON.
    return JSON.stringify(await handler(JSON.parse(JSON.stringify(event)), invocationContext())) ?? ''
  } catch (error) {
    return errorPayload(error)
  }
}

/** Describes the payload of a function: an error, only the `response` of a trigger, or the whole payload. */
function decision(payload: string): string {
  const answer = readPayload(payload)
  if (answer.kind === 'error') return `throws ${answer.errorType}: ${answer.errorMessage}`
  const event =
    answer.kind === 'value' ? (answer.value as { triggerSource?: string; response?: unknown } | null) : null
  return event?.triggerSource === undefined ? payload : JSON.stringify(event.response)
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

let passed = 0
let failed = 0

/** The payload of a function. `happened` describes what happened on the platform afterwards, if it is known. */
interface Answered {
  readonly payload: string
  readonly happened?: string
}

/**
 * Plays the scenes of the given programs. `ask` sends the event of a scene to a function, and returns the function’s
 * answer.
 */
async function play(
  played: readonly { readonly folder: string; readonly title: string }[],
  ask: (scene: Scene, folder: string) => Promise<string | Answered>,
  { brief = false }: { readonly brief?: boolean } = {},
): Promise<void> {
  for (const { folder, title } of played) {
    console.log(`\n${bold(title)}  ${dim(`examples/${folder}`)}`)
    const { scenes }: { scenes: readonly Scene[] } = await import(`./${folder}/scenes.ts`)
    for (const scene of scenes) {
      const answered = await ask(scene, folder)
      const { payload, happened }: Answered = typeof answered === 'string' ? { payload: answered } : answered
      const conclusion = scene.conclude(payload, scene.event)
      const right = [conclusion, happened ?? conclusion].every(each => each === scene.expected)
      right ? passed++ : failed++
      console.log(`  ${right ? green('✓') : red('✗')} ${scene.happens}`)
      if (!brief) console.log(`    ${dim('function')}  ${shorten(decision(payload), 120)}`)
      console.log(`    ${dim('platform')}  ${conclusion.split('; ').join('\n              ')}`)
      if (happened === conclusion) console.log(`    ${dim('mailboxes')} hold just that`)
      else if (happened !== undefined) console.log(`    ${red('mailboxes')} ${happened}`)
      if (!right) console.log(`    ${red('expected')}  ${scene.expected}`)
    }
  }
}

await play(programs, answer)

console.log(`\n${bold('The same functions, in the platform in a box')}`)
{
  await using platform = await openPlatform()
  await play(
    onPlatform,
    ({ event }, folder) => {
      if (folder === 'shop') return platform.request(event as LoadBalancerEvent)
      if (folder === 'orders') return platform.enqueue(event as QueueEvent)
      if (folder === 'mailroom') return platform.post(event as MailEvent)
      return platform.invoke(folder, event)
    },
    { brief: true },
  )
  console.log(
    `\n${bold('A stock client signs up and in at a user pool, and the shop takes its token')}  ${dim('examples/sign-up, examples/shop')}`,
  )
  for await (const { happens, concluded, expected } of visit(platform)) {
    const right = concluded === expected
    right ? passed++ : failed++
    console.log(`  ${right ? green('✓') : red('✗')} ${happens}`)
    console.log(`    ${dim('platform')}  ${concluded}`)
    if (!right) console.log(`    ${red('expected')}  ${expected}`)
  }
}
console.log(`\n${passed} conclusions as expected, ${failed} not.`)
if (failed > 0) process.exitCode = 1
