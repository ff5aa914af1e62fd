/** A running invocation of a function with a mail. */
interface RunningInvocation {
  readonly functionName: string
  /** The reason why the function cannot change the mail, as a sentence. Undefined if it can. */
  readonly frozen: string | undefined
}

/** What came of an attempt to change a mail. */
type ChangeResult =
  | 'changed'
  /** No function is deciding on a mail with this id, or not the one that tries. */
  | 'not in flight'
  /** The reason why the functions that have the mail cannot change it, as a sentence. */
  | { readonly frozen: string }

/**
 * The contents that functions put in the place of mails. A content counts together with the decision of the function that
 * put it: until then it is only kept here, and it is forgotten when the invocation fails.
 */
export interface MailChanges {
  /**
   * Runs an invocation. Functions that can change a mail get it one after another, so that it is clear who has changed it.
   * @returns the result with the content that was put meanwhile
   */
  readonly during: <T>(
    mail: string,
    invocation: RunningInvocation,
    run: () => Promise<T>,
  ) => Promise<{ readonly result: T; readonly raw: Buffer | undefined }>
  /** Returns the content that was put by the function that has the mail. */
  readonly raw: (mail: string) => Buffer | undefined
  /**
   * Finds out whether a mail can be changed now, or changes it.
   * @param functionName the function that tries. Undefined if that is unknown
   * @param raw the new content. Undefined to find out only
   */
  readonly change: (mail: string, functionName: string | undefined, raw?: Buffer) => ChangeResult
}

/** A mail that functions have at the moment. */
interface MailInFlight {
  readonly running: Set<RunningInvocation>
  /** The end of the last invocation that can change the mail. */
  turn: Promise<unknown>
  /** The number of invocations that run or wait. */
  count: number
  raw: Buffer | undefined
}

export function mailChanges(): MailChanges {
  const inFlight = new Map<string, MailInFlight>()

  const runIn = async <T>(mail: MailInFlight, invocation: RunningInvocation, run: () => Promise<T>) => {
    mail.running.add(invocation)
    try {
      const result = await run()
      return { result, raw: invocation.frozen === undefined ? mail.raw : undefined }
    } finally {
      mail.running.delete(invocation)
      if (invocation.frozen === undefined) mail.raw = undefined
    }
  }

  return {
    async during(id, invocation, run) {
      const mail = inFlight.get(id) ?? {
        ...{ running: new Set<RunningInvocation>(), turn: Promise.resolve(), count: 0, raw: undefined },
      }
      inFlight.set(id, mail)
      mail.count++
      try {
        if (invocation.frozen !== undefined) return await runIn(mail, invocation, run)
        const mine = mail.turn.then(() => runIn(mail, invocation, run))
        mail.turn = mine.catch(() => {})
        return await mine
      } finally {
        if (--mail.count === 0) inFlight.delete(id)
      }
    },

    raw: id => inFlight.get(id)?.raw,

    change(id, functionName, raw) {
      const mail = inFlight.get(id)
      const having = [...(mail?.running ?? [])].filter(
        each => functionName === undefined || each.functionName === functionName,
      )
      const [first] = having
      if (mail === undefined || first === undefined) return 'not in flight'
      if (having.every(({ frozen }) => frozen !== undefined)) return { frozen: first.frozen! }
      if (raw !== undefined) mail.raw = raw
      return 'changed'
    },
  }
}
