import { type Given, json, operands, type Tool } from './tools.ts'

/** A tool that runs a command of this program, and answers with what the command prints. */
interface CommandTool extends Omit<Tool, 'answer'> {
  /** Returns the words of the command line, without `--config`. */
  readonly words: (given: Given) => readonly string[]
}

const text = (description: string) => ({ type: 'string', description, isRequired: true }) as const
const optionalText = (description: string) => ({ type: 'string', description }) as const
const count = (description: string) => ({ type: 'integer', description }) as const

/** Returns an option with its value, or nothing without a value. */
function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`]
}

const commands: Readonly<Record<string, CommandTool>> = {
  list_invocations: {
    description:
      'Lists invocations of functions, the latest last: number, function, event, verdict, duration, output.',
    arguments: {
      function: optionalText('Only the invocations of this function'),
      last: count('The number of invocations (default: 20)'),
    },
    words: ({ function: name, last = 20 }) => ['log', ...option('last', last), ...operands(name)],
  },
  trace_invocation: {
    description:
      'Lists what led to an invocation and what followed from it, such as the messages that its function sent.',
    arguments: { invocation: text('The number of an invocation, or a request id') },
    words: ({ invocation }) => ['trace', ...operands(invocation)],
  },
  list_queues: {
    description: 'Lists the queues: depth, messages in flight, age of the oldest, dead letters.',
    arguments: {},
    words: () => ['queues', json],
  },
  peek_queue: {
    description: 'Shows the oldest messages of a queue without receiving them.',
    arguments: { queue: text('The name of a queue'), limit: count('The number of messages (default: 10)') },
    words: ({ queue, limit }) => ['queues', json, ...option('limit', limit), ...operands('peek', queue)],
  },
  list_mails: {
    description:
      'Lists accepted mails with the disposition for each recipient and its reason, the newest last.',
    arguments: {},
    hasCodes: true,
    words: () => ['mail', 'status', json],
  },
  list_mailbox: {
    description: 'Lists delivered mails, in all mailboxes or in one.',
    arguments: { address: optionalText('The address of a mailbox') },
    hasCodes: true,
    words: ({ address }) => ['mail', 'list', json, ...operands(address)],
  },
  show_mail: {
    description: 'Shows a delivered mail with its text.',
    arguments: { address: text('The address of a mailbox'), id: text('The id, or its beginning') },
    hasCodes: true,
    words: ({ address, id }) => ['mail', 'show', json, ...operands(address, id)],
  },
  list_codes: {
    description:
      'Lists the messages that a user pool sent, with their codes, the latest first. Needs a running platform.',
    arguments: { pool: text('The name of a user pool') },
    hasCodes: true,
    words: ({ pool }) => ['texts', json, ...operands(pool)],
  },
  sample_event: {
    description:
      'Returns a valid event of a family, a trigger or a trigger source, such as queue or PreSignUp_SignUp.',
    arguments: {
      name: text('The name of a sample, such as queue'),
      dialect: optionalText('aws for the event as AWS sends it'),
    },
    words: ({ name, dialect }) => ['sample', ...option('dialect', dialect), ...operands(name)],
  },
  send_message: {
    description: 'Sends a message to a queue.',
    arguments: {
      queue: text('The name of a queue'),
      body: text('The body of the message'),
      group: optionalText('The message group, which FIFO queues need'),
    },
    changes: true,
    words: ({ queue, body, group }) => ['send', ...option('group', group), ...operands(queue, body)],
  },
}

/** The tools that are commands. */
export const commandTools: Readonly<Record<string, Tool>> = Object.fromEntries(
  Object.entries(commands).map(([name, { words, ...tool }]) => [
    name,
    { ...tool, answer: (given, { run }) => run(words(given)) } satisfies Tool,
  ]),
)
