import type { Hint } from '@signalbox/codec'

/** The path of a route: `/orders/{id}`, or `/files/{path+}` for everything below `/files/`. */
export type Path = `/${string}`

/**
 * The type of the parameters of a path: `PathParams<'/orders/{id}'>` is `{ readonly id: string }`. A path that is known
 * only at run time can have any parameters.
 */
export type PathParams<P extends string> = string extends P
  ? { readonly [name: string]: string }
  : `/${string}` extends P
    ? { readonly [name: string]: string }
    : { readonly [Name in ParamNames<P>]: string }

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | ParamNames<Rest>
  : never

/** The path of a route, or a hint if it contains parameters in another notation, such as `:id`. */
export type CheckedPath<P extends string> = P extends `${string}/:${infer Name}`
  ? P & Hint<`write {${FirstSegment<Name>}} instead of :${FirstSegment<Name>}`>
  : P extends `${string}{${infer Name}:${infer Pattern}}${string}`
    ? P & Hint<`write {${Name}}, and check it with a codec in params, instead of {${Name}:${Pattern}}`>
    : P

type FirstSegment<Text extends string> = Text extends `${infer First}/${string}` ? First : Text
