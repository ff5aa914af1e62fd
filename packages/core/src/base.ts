// What programs beside functions need of this package: nothing here loads middy, or anything else of size.
export { type Clock, systemClock } from './clock.ts'
export { InvalidOptionError, SignalboxError } from './errors.ts'
export { refuseUnknownOptions } from './options.ts'
