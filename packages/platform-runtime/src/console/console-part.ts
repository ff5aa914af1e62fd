import type * as t from 'io-ts'
import type { InvocationLogEntry } from '../invocation-log/entry.ts'
import type { InvocationSearch } from '../invocation-log/search.ts'
import type { ApiRoutes, HandlersOf } from './api-route.ts'
import type { ConsoleFile } from './console-file.ts'
import type { ConsolePage } from './console-page.ts'
import type { InvocationPage } from './invocation-page.ts'

/** What a kind of visitor may see. There are two kinds: those who may act, and those who may only read. */
export interface ConsoleView {
  /**
   * Whether the visitor may act. Other visitors must not see secrets, such as the code with which a password is reset:
   * with the code, they could act as its user.
   */
  readonly mayAct: boolean
  /** Returns the confidential senders of all sources. See `ConsolePart.confidentialSenders`. */
  readonly confidentialSenders: () => readonly string[]
  /** Finds invocations, as the visitor may see them. */
  readonly invocations: (search: InvocationSearch) => Promise<t.TypeOf<typeof InvocationPage>>
}

/**
 * What a source brings to the console. A part also exists when the configuration does not use its source, so that its
 * routes and its pages say so.
 */
export interface ConsolePart<Routes extends ApiRoutes = ApiRoutes> {
  /** The name of the part, such as `queues`: a key of the parts and of the live numbers. */
  readonly name: string
  /** Whether the configuration uses the source. */
  readonly isUsed: boolean
  /** The routes that the part adds to the API. */
  readonly routes: Routes
  /** Returns a handler for each route. Called once for each kind of visitor. */
  readonly handlers: (view: ConsoleView) => HandlersOf<Routes>
  /** Returns what answers with files, by path. The requests need the right to read, and the access log has them. */
  readonly files?: (view: ConsoleView) => ConsoleFiles
  /** The pages of the part, in the order of the navigation. Each has a name of its own in the whole console. */
  readonly pages?: readonly Omit<ConsolePage, 'part'>[]
  /**
   * Returns what the live numbers have below the name of the part. Called each second while visitors are connected. Every
   * visitor gets it, so it must not have secrets.
   */
  readonly live?: () => Promise<unknown>
  /**
   * Returns the number of things that went wrong since a time and are not mended, which the navigation shows at the
   * pages of the part that say what the number is. Every visitor gets it.
   */
  readonly wrong?: (since: number) => Promise<number>
  /**
   * Returns the addresses, in lower case, that send messages with secrets. Parts hide these messages from visitors who may
   * only read.
   */
  readonly confidentialSenders?: () => readonly string[]
  /** Returns an invocation as a visitor who may only read sees it: the entry itself if nothing is hidden. */
  readonly readableInvocation?: (
    entry: InvocationLogEntry,
    confidentialSenders: () => readonly string[],
  ) => InvocationLogEntry
  /** What the part adds to the details of an invocation. */
  readonly related?: {
    /** The key in the details. */
    readonly name: string
    /** Returns what the event of an invocation names. */
    readonly find: (event: EventNames, view: ConsoleView) => Promise<readonly unknown[]>
  }
}

/** A part with any routes, for lists. */
// biome-ignore lint/suspicious/noExplicitAny: a part's routes are its own.
export type AnyConsolePart = ConsolePart<any>

/** Returns a file for the parameters of a path, by paths such as `/mail/{id}/source`. */
export interface ConsoleFiles {
  readonly [path: string]: (params: { readonly [name: string]: string }) => Promise<ConsoleFile>
}

/** What an event names, and the time around its invocation. */
export interface EventNames {
  /** Ids and addresses, at least one. */
  readonly names: readonly string[]
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}
