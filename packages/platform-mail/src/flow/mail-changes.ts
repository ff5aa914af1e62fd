/** A running invocation of a function with a mail. */
interface RunningInvocation {
  readonly functionName: string
  /** The reason why the function cannot change the mail, as a sentence. Undefined if it can. */
  readonly frozen: string | undefined
  /** Returns the reason why a content cannot take the place of the mail's, as a sentence. */
  readonly contentProblem?: ((content: Buffer) => string | undefined) | undefined
}

/** A content that a client put in the place of a mail's. */
interface PutContent {
  readonly raw: Buffer
  /** The name of the client. */
  readonly by: string
  /** Where the client got it from, which identifies a request that is sent again. */
  readonly reference: string
}

/** An attempt of a function that can change a mail. */
interface ChangingAttempt {
  /** Returns what was put last. */
  readonly content: () => PutContent | undefined
  /** Returns the reason why a content cannot take the place of the mail's, as a sentence. */
  readonly problem: (content: Buffer) => string | undefined
  /** Puts a content in the place of the mail's. Returns false, and does nothing, if the attempt has ended. */
  readonly put: (content: PutContent) => boolean
}

/** Why a mail cannot be changed. */
type Unchangeable =
  /** No function is deciding on a mail with this id, or not the one that tries. */
  | 'not in flight'
  /** The reason why the functions that have the mail cannot change it, as a sentence. */
  | { readonly frozen: string }

/**
 * The contents that functions put in the place of mails. A content counts together with the decision of the attempt in which
 * it was put: until then it is only kept here, and it is forgotten when the attempt fails.
 */
export interface MailChanges {
  /**
   * Runs an invocation. A function that can change a mail has it alone, so that it is clear who has changed it. Functions
   * that cannot may have it together.
   * @returns the result with the content that was put meanwhile
   */
  readonly during: <T>(
    mail: string,
    invocation: RunningInvocation,
    run: () => Promise<T>,
  ) => Promise<{ readonly result: T; readonly raw: Buffer | undefined }>
  /** Returns the content that a client has put in the running attempt. Other clients do not see it. */
  readonly raw: (mail: string, client: string) => Buffer | undefined
  /**
   * Returns the running attempt that can change a mail.
   * @param functionName the function that tries. Undefined if that is unknown
   */
  readonly attempt: (mail: string, functionName: string | undefined) => ChangingAttempt | Unchangeable
}

/** A mail that functions have at the moment. */
interface MailInFlight {
  readonly running: Map<RunningInvocation, ChangingAttempt>
  /** The end of the last invocation that can change the mail. */
  changing: Promise<unknown>
  /** The end of all invocations up to now that cannot. */
  frozen: Promise<unknown>
  /** The number of invocations that run or wait. */
  count: number
}

export function mailChanges(): MailChanges {
  const inFlight = new Map<string, MailInFlight>()

  const runIn = async <T>(
    { running }: MailInFlight,
    invocation: RunningInvocation,
    run: () => Promise<T>,
  ) => {
    let content: PutContent | undefined
    const put = (next: PutContent) => {
      if (!running.has(invocation)) return false
      content = next
      return true
    }
    const problem = (next: Buffer) => invocation.contentProblem?.(next)
    running.set(invocation, { content: () => content, problem, put })
    try {
      const result = await run()
      return { result, raw: content?.raw }
    } finally {
      running.delete(invocation)
    }
  }

  return {
    async during(id, invocation, run) {
      const mail = inFlight.get(id) ?? {
        ...{ running: new Map(), changing: Promise.resolve(), frozen: Promise.resolve(), count: 0 },
      }
      inFlight.set(id, mail)
      mail.count++
      const isFrozen = invocation.frozen !== undefined
      const before = isFrozen ? mail.changing : Promise.all([mail.changing, mail.frozen])
      const mine = before.then(() => runIn(mail, invocation, run))
      const end = mine.catch(() => {})
      if (isFrozen) mail.frozen = Promise.all([mail.frozen, end])
      else mail.changing = end
      try {
        return await mine
      } finally {
        if (--mail.count === 0) inFlight.delete(id)
      }
    },

    raw(id, client) {
      for (const attempt of inFlight.get(id)?.running.values() ?? []) {
        const content = attempt.content()
        if (content?.by === client) return content.raw
      }
      return undefined
    },

    attempt(id, functionName) {
      for (const [invocation, attempt] of inFlight.get(id)?.running ?? []) {
        if (functionName !== undefined && invocation.functionName !== functionName) continue
        return invocation.frozen === undefined ? attempt : { frozen: invocation.frozen }
      }
      return 'not in flight'
    },
  }
}
