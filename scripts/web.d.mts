export declare const SOURCES: ReadonlyArray<string>
export declare const built: (root: string) => boolean
