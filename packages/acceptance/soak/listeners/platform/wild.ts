// The misbehaving function of the soak. Each event names the way in which the function breaks its process or its
// channel.
import { handler as faulty } from '@signalbox/platform-runtime/invoker/testing/functions/faulty'
import { handler as hostile } from '@signalbox/platform-runtime/invoker/testing/functions/hostile'

interface WildEvent {
  readonly path?: string
  readonly Records?: readonly { readonly body: string }[]
  readonly envelope?: { readonly recipients: readonly { readonly address?: string }[] }
}

const response = {
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: {},
  body: '',
}

/** Returns the action that is named in a path, in the body of a message or in the recipient of a mail. */
function actOf({ path, Records, envelope }: WildEvent): string {
  const text = path?.slice(1) ?? Records?.[0]?.body ?? JSON.stringify(envelope)
  return /wild-([a-z_]+)/i.exec(decodeURIComponent(text))?.[1] ?? 'answer'
}

function answerTo({ path, envelope }: WildEvent): object | null {
  if (envelope !== undefined) return { actions: [{ allRecipients: true, action: { type: 'DEFAULT' } }] }
  return path === undefined ? null : response
}

export async function handler(event: WildEvent, context: object): Promise<unknown> {
  const act = actOf(event)
  if (act === 'answer') return answerTo(event)
  const bytes = Buffer.from('{"kind":"log"}\n\0\u{1}\u{ff}').toString('base64')
  const forged = { do: act, id: 1, descriptor: 4, bytes }
  return act in faultyActs ? faulty(forged, context) : hostile(forged)
}

const faultyActs: { readonly [act: string]: true } = {
  ...{ throw: true, hang: true, loop: true, exit: true, kill: true, disconnect: true, reject: true },
  ...{ heap: true, garbage: true, large: true, chatter: true, nothing: true },
}
