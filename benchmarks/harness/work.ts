/** The role of a contender in a comparison. */
export type Role =
  /** `limit`: code that is written by hand for this work, with the same checks. No framework can be faster. */
  | 'limit'
  /** `floor`: only a part of the work, such as an empty handler. It is measured, but not compared. */
  | 'floor'
  | 'ours'
  | 'peer'

export interface Contender {
  readonly name: string
  readonly role: Role
  /** Runs the work once. Only these runs are timed. */
  readonly run: () => unknown
  /**
   * Returns the answers that must agree, in a form in which all contenders can be compared. Default: the answer of
   * `run`. It is not called for a contender in the role `floor`.
   */
  readonly answers?: () => unknown
  /** A description of differences that the answers cannot show. */
  readonly differs?: string
}

/** A size or mode of a work. */
export interface Setup {
  /** The name, such as `1,000 records`. */
  readonly name: string
  /** The number of units, such as records, that one run handles. 1 for a work without units. */
  readonly units?: number
  readonly contenders: readonly Contender[]
}

/**
 * A goal for a ratio: `of` takes at most `atMost` times the time of `to` in the same round, or `to` takes at
 * least `atLeast` times the time of `of`.
 */
interface RatioGoal {
  readonly setup: string
  readonly of: string
  readonly to: string
  readonly atMost?: number
  readonly atLeast?: number
  /** The reason that is printed if the goal is not reached: where the time is spent. */
  readonly otherwise?: string
}

/**
 * A goal for growth: the time per unit of one contender in the setup `to` is at most `atMost` times the time per unit
 * in the setup `from`.
 */
export interface GrowthGoal {
  /** A text that several goals share. Only the worst of these goals is shown. */
  readonly together?: string
  readonly of: string
  readonly from: string
  readonly to: string
  readonly atMost: number
  readonly otherwise?: string
}

/**
 * A goal for a difference: a run of a contender in the setup `to` takes at most `atMost` nanoseconds longer than in
 * the setup `from`.
 */
export interface ExtraGoal {
  readonly together?: string
  readonly of: string
  readonly from: string
  readonly to: string
  readonly atMost: number
  readonly otherwise?: string
}

export interface Work {
  /** The name for `npm run bench -- NAME`. The name of its family works, too. */
  readonly name: WorkName
  readonly title: string
  /** The unit, such as `record`, for works that are counted in units. */
  readonly unit?: string
  /**
   * Whether the work waits for timers. If it does, a wall clock measures its time. Otherwise, its processor time is
   * measured.
   */
  readonly waits?: true
  /**
   * The time in nanoseconds for which a contender runs in a round, for a work whose runs differ so much, such as by
   * garbage collection, that the usual time gives no steady mean.
   */
  readonly roundTime?: number
  readonly setups: readonly Setup[]
  readonly ratios?: readonly RatioGoal[]
  readonly growth?: readonly GrowthGoal[]
  readonly extra?: readonly ExtraGoal[]
}

/**
 * The works and their families, in the order of the runs and of the results. Each work is a file in `works/`.
 */
export const families = {
  guard: 'codec',
  'guard-growth': 'codec',
  trigger: 'user-pool',
  batch: 'queue',
  'batch-later': 'queue',
  fifo: 'queue',
  http: 'load-balancer',
  'http-body': 'load-balancer',
  'http-growth': 'load-balancer',
  mail: 'mail-flow',
  dispatch: 'core',
  dialect: 'aws',
  hostile: 'core',
  telemetry: 'telemetry',
  'telemetry-sdk': 'telemetry',
} as const

export type WorkName = keyof typeof families

export const workNames = Object.keys(families) as readonly WorkName[]

export async function loadWork(name: WorkName): Promise<Work> {
  const module = (await import(`../works/${name}.ts`)) as { work: Work }
  return module.work
}
