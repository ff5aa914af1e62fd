import { invalidValue, QueueStoreError } from '../../store/queue-store-error.ts'

/** The contents of a policy statement. */
interface Permission {
  readonly label: string
  readonly accounts: readonly string[]
  readonly actions: readonly string[]
}

interface Statement {
  readonly Sid?: string
}

/** The maximum number of actions in a statement, as on AWS. */
const actionLimit = 7
/** The maximum number of statements in a policy, as on AWS. */
const statementLimit = 20

const allowedActions: readonly string[] = [
  '*',
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ListDeadLetterSourceQueues',
  'PurgeQueue',
  'ReceiveMessage',
  'SendMessage',
]

/**
 * Adds a statement to the policy of a queue.
 * @param resource the resource name of the queue
 * @throws QueueStoreError if the permission is invalid or its label already exists
 */
export function withPermission(resource: string, policy: string | undefined, permission: Permission): string {
  refusePermission(permission)
  const { label, accounts, actions } = permission
  const before = policy === undefined ? undefined : (JSON.parse(policy) as object)
  const statements = statementsOf(policy)
  if (statements.some(({ Sid }) => Sid === label)) throw invalidValue(label, 'Label', 'Already exists.')
  if (statements.length >= statementLimit)
    throw new QueueStoreError('OVER_LIMIT', `A policy has at most ${statementLimit} statements.`)
  const statement = {
    Sid: label,
    Effect: 'Allow',
    Principal: { AWS: oneOrAll(accounts.map(account => `arn:aws:iam::${account}:root`)) },
    Action: oneOrAll(actions.map(action => `SQS:${action}`)),
    Resource: resource,
  }
  return JSON.stringify({
    Version: '2008-10-17',
    Id: `${resource}/SQSDefaultPolicy`,
    ...before,
    Statement: [...statements, statement],
  })
}

/**
 * Removes a statement from the policy of a queue. Returns undefined if no statement remains.
 * @throws QueueStoreError if no statement has this label
 */
export function withoutPermission(policy: string | undefined, label: string): string | undefined {
  const statements = statementsOf(policy)
  const left = statements.filter(({ Sid }) => Sid !== label)
  if (left.length === statements.length) throw invalidValue(label, 'Label', "can't find label.")
  return left.length === 0 ? undefined : JSON.stringify({ ...JSON.parse(policy!), Statement: left })
}

function refusePermission({ label, accounts, actions }: Permission): void {
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(label))
    throw invalidValue(
      label,
      'Label',
      'It can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.',
    )
  const wrong = accounts.find(account => !/^\d{12}$/.test(account))
  if (accounts.length === 0 || wrong !== undefined)
    throw invalidValue(wrong ?? '', 'PrincipalId', 'An AWS account id has 12 digits.')
  if (actions.length === 0)
    throw new QueueStoreError('MISSING_PARAMETER', 'The request must contain the parameter Actions.')
  if (actions.length > actionLimit)
    throw new QueueStoreError(
      'OVER_LIMIT',
      `${actions.length} Actions were found, maximum allowed is ${actionLimit}.`,
    )
  const unknown = actions.find(action => !allowedActions.includes(action))
  if (unknown !== undefined)
    throw invalidValue(`SQS:${unknown}`, 'ActionName', `It must be one of ${allowedActions.join(', ')}.`)
}

/** Returns the statements of a policy. The list is empty if a client has set a policy without statements. */
function statementsOf(policy: string | undefined): readonly Statement[] {
  const { Statement: statement } = ((policy === undefined ? undefined : JSON.parse(policy)) ?? {}) as {
    readonly Statement?: unknown
  }
  if (typeof statement !== 'object' || statement === null) return []
  return Array.isArray(statement)
    ? statement.filter(each => typeof each === 'object' && each !== null)
    : [statement]
}

function oneOrAll(texts: readonly string[]): string | readonly string[] {
  return texts.length === 1 ? texts[0]! : texts
}
