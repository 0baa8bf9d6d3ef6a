/** `Symbol.asyncDispose` for compilers whose library does not declare it: TypeScript before 5.2, or a `lib` without it. */
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export {};
