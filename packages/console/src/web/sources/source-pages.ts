import type { ComponentChildren } from 'preact'
import type { InvocationDetails } from '../../api/invocations.ts'
import type { Page } from '../pages/page.ts'

/** What this application has by hand for a source. */
export interface SourcePages {
  /** The contents of pages that the source only names, by the names of the pages. */
  readonly pages?: { readonly [name: string]: Page['routes'] }
  /** A tab of the page "Try it". */
  readonly trial?: {
    /** The path below `/try`. */
    readonly name: string
    readonly title: string
    readonly show: () => ComponentChildren
  }
  /** What the source adds to the story of an invocation. */
  readonly story?: {
    readonly stepsOf: (details: InvocationDetails) => readonly StoryStep[]
    /** Returns whether the steps can still change. */
    readonly isWaiting: (details: InvocationDetails) => boolean
  }
}

/** A step of the story of an invocation. */
interface StoryStep {
  /** The time of the step, in milliseconds since the epoch. */
  readonly at: number
  readonly step: ComponentChildren
}
