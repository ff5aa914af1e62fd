/** Names what the platform keeps about one rule of a mail. */
export interface DecisionName {
  /** Identifies the sender, the Message-ID, the recipients and the rule. */
  readonly key: string
  /** Identifies the content of the mail. A remembered decision is for this content only. */
  readonly content: string
}

/** What the platform keeps about one rule of a mail that it decides on before the reply to the client. */
export interface RememberedDecision extends DecisionName {
  /** The number of failed attempts since the last decision. */
  readonly failures: number
  /** Milliseconds since the first of these failures. Zero before it. */
  readonly failingFor: number
  /** The decision, as text of the caller. Undefined while the function has only failed. */
  readonly decision: string | undefined
  /** The id of the mail that was stored after this decision. */
  readonly storedAs: string | undefined
  /**
   * The content that the function put in the place of the mail's. Undefined if it put none, and once a mail with
   * it was stored after this decision.
   */
  readonly raw: Buffer | undefined
}

/** The result of one attempt to decide. Without a decision, the attempt failed. */
export interface EarlyAttempt extends DecisionName {
  readonly decision?: string | undefined
  /** The content that the function put in the place of the mail's. */
  readonly raw?: Buffer | undefined
}
