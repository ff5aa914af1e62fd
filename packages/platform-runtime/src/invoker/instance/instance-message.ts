/** The argument that an instance starts with. */
export interface InstanceSettings {
  readonly functionName: string
  /** A file URL. */
  readonly module: string
  readonly exportName: string
  /** The instance ends itself when it uses this many bytes of memory, on and off the heap. */
  readonly memoryLimit: number
}

/** The head of a task. */
export interface TaskHead {
  readonly requestId: string
  readonly context: { readonly [name: string]: unknown } | undefined
  /** Milliseconds until it is killed. */
  readonly granted: number
}

/** The descriptors that an instance inherits beside the standard ones. */
export const descriptors = {
  /** Frames for the instance. */
  tasks: 3,
  /** Frames of the instance. A descriptor of its own, because writes to it block: see `sendFrame`. */
  messages: 4,
  /** Stays open while the platform runs. */
  lifeline: 5,
} as const

/** What the watchdog writes to the lifeline before it ends an instance whose memory is used up. */
export const memoryUsedUp = 'memory'
