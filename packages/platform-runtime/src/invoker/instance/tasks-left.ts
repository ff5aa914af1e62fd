import { type Frame, isResult } from './frame.ts'
import { isAfter, type Task } from './task.ts'

export interface TasksLeft {
  /** Takes a frame that the process had sent before it was lost, and returns the task that the frame completes. */
  readonly hear: (frame: Frame) => Task | undefined
  /** Takes the number after which the process has started no task, and will start none. */
  readonly started: (task: number) => void
  /** Returns the tasks that were started, and those that were not, when nothing more can come from the process. */
  readonly end: () => { readonly started: readonly Task[]; readonly others: readonly Task[] }
}

/**
 * The tasks behind the one with which an instance was lost. An instance sends the result of a task before it starts the
 * next one, so its last frames show which tasks it has started, unless it said so itself.
 * @param running the number of the task with which the instance was lost
 */
export function tasksLeft(tasks: Task[], running: number): TasksLeft {
  /** How many of the tasks were started. */
  let begun = 0
  let isFinal = false
  return {
    hear({ kind, task }) {
      if (!isResult(kind)) return undefined
      const isNext = task === tasks[0]?.number
      const completed = isNext ? tasks.shift() : undefined
      if (isFinal) begun -= Math.min(begun, isNext ? 1 : 0)
      else if (isNext || task === running) begun = Math.min(1, tasks.length)
      return completed
    },
    started(task) {
      begun = tasks.filter(({ number }) => !isAfter(number, task)).length
      isFinal = true
    },
    end() {
      const started = tasks.splice(0, begun)
      return { started, others: tasks.splice(0) }
    },
  }
}
