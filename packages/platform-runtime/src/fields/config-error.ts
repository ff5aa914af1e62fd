import { formatProblems, type Problem } from '@signalbox/codec'
import { SignalboxError } from '@signalbox/core/base'

/** The configuration is invalid, or not safe to start. `problems` lists everything that is wrong. */
export class InvalidConfigError extends SignalboxError {
  override readonly name = 'InvalidConfigError'
  readonly code = 'INVALID_CONFIG'
  readonly problems: readonly Problem[]

  constructor(where: string, problems: readonly Problem[], refusal = 'cannot be understood') {
    super(`${where} ${refusal}:\n${formatProblems(problems)}`)
    this.problems = problems
  }
}
