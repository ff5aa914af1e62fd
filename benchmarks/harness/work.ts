/** The role of a contender in a comparison. */
export type Role =
  /** Hand-written for this one work, with the same checks: the limit for any framework. */
  | 'limit'
  /** Only a part of the work, such as an empty handler. It is measured, but not compared. */
  | 'floor'
  | 'ours'
  | 'peer'

export interface Contender {
  readonly name: string
  readonly role: Role
  /** Runs the work once. This is timed. */
  readonly run: () => unknown
  /**
   * The answers that must agree, in a form that is comparable for all contenders. Default: the answer of `run`. Not
   * called for a floor.
   */
  readonly answers?: () => unknown
  /** Further omissions or differences in words, when the answers cannot show them. */
  readonly differs?: string
}

/** One size or mode of a work. */
export interface Setup {
  /** The name, such as `1,000 records`. */
  readonly name: string
  /** The number of units, such as records, that one run handles. 1 for a work without units. */
  readonly units?: number
  readonly contenders: readonly Contender[]
}

/** `of` costs at most `atMost` times what `to` costs in the same round, or `to` at least `atLeast` times `of`. */
interface RatioGoal {
  readonly setup: string
  readonly of: string
  readonly to: string
  readonly atMost?: number
  readonly atLeast?: number
  /** The place where the time is spent. Printed when the goal is not reached. */
  readonly otherwise?: string
}

/** The cost per unit of one contender in the setup `to` is at most `atMost` times that in `from`. */
export interface GrowthGoal {
  /** One sentence for the worst of several goals, instead of one for each. */
  readonly together?: string
  readonly of: string
  readonly from: string
  readonly to: string
  readonly atMost: number
  readonly otherwise?: string
}

/** One run of a contender in the setup `to` takes at most `atMost` nanoseconds longer than one in `from`. */
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
  /** Whether it waits for timers, so that the clock measures it. Otherwise the processor's time counts. */
  readonly waits?: true
  readonly setups: readonly Setup[]
  readonly ratios?: readonly RatioGoal[]
  readonly growth?: readonly GrowthGoal[]
  readonly extra?: readonly ExtraGoal[]
}

/** The works and their families, in the order in which they are run and shown. Each is a file in `works/`. */
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
} as const

export type WorkName = keyof typeof families

export const workNames = Object.keys(families) as readonly WorkName[]

export async function loadWork(name: WorkName): Promise<Work> {
  const module = (await import(`../works/${name}.ts`)) as { work: Work }
  return module.work
}
