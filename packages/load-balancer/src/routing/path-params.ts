/** Where a route lives: `/orders/{id}`, or `/files/{path+}` for everything below. */
export type Path = `/${string}`

/**
 * The parameters of a path, from its text: `PathParams<'/orders/{id}'>` is `{ readonly id: string }`. Of a path
 * that is known at run time only, any parameter may be there.
 */
export type PathParams<P extends string> = string extends P
  ? { readonly [name: string]: string }
  : `/${string}` extends P
    ? { readonly [name: string]: string }
    : { readonly [Name in ParamNames<P>]: string }

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | ParamNames<Rest>
  : never
