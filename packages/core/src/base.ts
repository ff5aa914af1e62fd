// This entry point does not load middy. It is for programs that are not serverless functions.
export { type Clock, systemClock } from './clock.ts'
export { inDevelopment } from './development.ts'
export { InvalidOptionError, SignalboxError } from './errors.ts'
export { closestFamily } from './middleware/closest-family.ts'
export { notAnAnswer } from './not-an-answer.ts'
export { refuseUnknownOptions, showOption } from './options.ts'
export type { Drift, Family } from './plugin.ts'
