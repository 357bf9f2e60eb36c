export declare const WEB_SOURCES: ReadonlyArray<string>
export declare const built: (root: string) => boolean
