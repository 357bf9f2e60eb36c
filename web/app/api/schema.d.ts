/** Written by "npm run openapi" from the contract; never by hand. Of openapi.json 3f871fb2df22bfbe85cc78508d7af324ec1fcc7494523dd04fca5788b2eaef7e */
export interface paths {
    "/v1/admin/deletions/{target_type}/{target_id}/restore": {
        post: operations["erasure.restore"];
    };
    "/v1/auth/csrf": {
        get: operations["auth.csrf"];
    };
    "/v1/auth/device": {
        post: operations["devices.start"];
    };
    "/v1/auth/device/{user_code}": {
        get: operations["devices.look"];
    };
    "/v1/auth/device/approve": {
        post: operations["devices.approve"];
    };
    "/v1/auth/device/deny": {
        post: operations["devices.deny"];
    };
    "/v1/auth/device/token": {
        post: operations["devices.poll"];
    };
    "/v1/auth/idp": {
        get: operations["idp.begin"];
    };
    "/v1/auth/idp/callback": {
        get: operations["idp.callback"];
    };
    "/v1/auth/idp/link": {
        get: operations["idp.beginLink"];
        post: operations["idp.startLink"];
    };
    "/v1/auth/idp/unlink": {
        post: operations["idp.unlink"];
    };
    "/v1/auth/invites/accept": {
        post: operations["invites.accept"];
    };
    "/v1/auth/invites/look": {
        post: operations["invites.look"];
    };
    "/v1/auth/login": {
        post: operations["auth.login"];
    };
    "/v1/auth/logout": {
        post: operations["auth.logout"];
    };
    "/v1/auth/logout-all": {
        post: operations["auth.logoutAll"];
    };
    "/v1/auth/magic-link": {
        post: operations["auth.magicLink"];
    };
    "/v1/auth/magic-link/verify": {
        post: operations["auth.openMagicLink"];
    };
    "/v1/auth/password-reset": {
        post: operations["auth.resetPassword"];
    };
    "/v1/auth/password-reset/confirm": {
        post: operations["auth.confirmReset"];
    };
    "/v1/auth/password/change": {
        post: operations["auth.changePassword"];
    };
    "/v1/auth/signup": {
        post: operations["auth.signup"];
    };
    "/v1/auth/verify-email/confirm": {
        post: operations["auth.confirmEmail"];
    };
    "/v1/auth/verify-email/resend": {
        post: operations["auth.resendVerification"];
    };
    "/v1/auth/ways": {
        get: operations["auth.ways"];
    };
    "/v1/billing/checkout": {
        post: operations["billing.checkout"];
    };
    "/v1/billing/plans": {
        get: operations["billing.plans"];
    };
    "/v1/billing/portal": {
        post: operations["billing.portal"];
    };
    "/v1/billing/subscription": {
        get: operations["billing.subscription"];
    };
    "/v1/billing/webhook": {
        post: operations["billing.webhook"];
    };
    "/v1/comments/{id}": {
        delete: operations["comments.remove"];
        patch: operations["comments.edit"];
    };
    "/v1/comments/{id}/reopen": {
        post: operations["comments.reopen"];
    };
    "/v1/comments/{id}/replies": {
        post: operations["comments.reply"];
    };
    "/v1/comments/{id}/resolve": {
        post: operations["comments.resolve"];
    };
    "/v1/exports/{export_id}/download": {
        get: operations["exports.download"];
    };
    "/v1/folders": {
        get: operations["folders.list"];
        post: operations["folders.create"];
    };
    "/v1/folders/{id}": {
        delete: operations["folders.remove"];
        patch: operations["folders.change"];
    };
    "/v1/folders/{id}/comment-allowlist": {
        get: operations["allowlists.ofFolder"];
        put: operations["allowlists.changeFolder"];
    };
    "/v1/me": {
        get: operations["account.me"];
        delete: operations["erasure.deleteAccount"];
        patch: operations["account.rename"];
    };
    "/v1/me/deletion-impact": {
        get: operations["erasure.impact"];
    };
    "/v1/me/grants": {
        get: operations["grants.list"];
    };
    "/v1/me/grants/{id}": {
        delete: operations["grants.revoke"];
    };
    "/v1/oauth/authorize": {
        post: operations["oauth.authorize"];
    };
    "/v1/oauth/authorize/info": {
        get: operations["oauth.info"];
    };
    "/v1/projects": {
        get: operations["projects.list"];
        post: operations["projects.create"];
    };
    "/v1/projects/{slug}": {
        get: operations["projects.get"];
        put: operations["projects.publish"];
        delete: operations["projects.remove"];
        patch: operations["projects.change"];
    };
    "/v1/projects/{slug}/analytics": {
        get: operations["analytics.of"];
    };
    "/v1/projects/{slug}/available": {
        get: operations["projects.available"];
    };
    "/v1/projects/{slug}/comment-allowlist": {
        get: operations["allowlists.ofProject"];
        put: operations["allowlists.changeProject"];
    };
    "/v1/projects/{slug}/comment-notifications": {
        get: operations["comments.notifications"];
        put: operations["comments.mute"];
    };
    "/v1/projects/{slug}/comments": {
        get: operations["comments.list"];
        post: operations["comments.post"];
    };
    "/v1/projects/{slug}/files": {
        get: operations["projects.files"];
        post: operations["projects.addFiles"];
    };
    "/v1/projects/{slug}/missing": {
        get: operations["projects.missing"];
    };
    "/v1/projects/{slug}/share-links": {
        get: operations["shareLinks.list"];
        post: operations["shareLinks.create"];
    };
    "/v1/projects/{slug}/versions/{from}/compare/{to}": {
        get: operations["projects.compare"];
    };
    "/v1/projects/{slug}/versions/{version}/download": {
        get: operations["projects.download"];
    };
    "/v1/projects/{slug}/versions/{version}/restore": {
        post: operations["projects.restore"];
    };
    "/v1/projects/{slug}/versions/{version}/thumbnail": {
        get: operations["projects.thumbnail"];
    };
    "/v1/share-links/{id}": {
        delete: operations["shareLinks.revoke"];
        patch: operations["shareLinks.change"];
    };
    "/v1/tokens": {
        get: operations["tokens.list"];
        post: operations["tokens.create"];
    };
    "/v1/tokens/{token_id}": {
        delete: operations["tokens.revoke"];
    };
    "/v1/workspace": {
        get: operations["workspaces.get"];
        delete: operations["erasure.deleteWorkspace"];
        patch: operations["workspaces.change"];
    };
    "/v1/workspace/audit": {
        get: operations["audit.list"];
    };
    "/v1/workspace/comment-allowlist": {
        get: operations["allowlists.ofWorkspace"];
        put: operations["allowlists.changeWorkspace"];
    };
    "/v1/workspace/deletion-impact": {
        get: operations["erasure.workspaceImpact"];
    };
    "/v1/workspace/export": {
        get: operations["exports.latest"];
        post: operations["exports.request"];
    };
    "/v1/workspace/invites": {
        get: operations["invites.list"];
        post: operations["invites.create"];
    };
    "/v1/workspace/invites/{invite_id}": {
        delete: operations["invites.cancel"];
    };
    "/v1/workspace/invites/{invite_id}/resend": {
        post: operations["invites.resend"];
    };
    "/v1/workspace/members": {
        get: operations["members.list"];
    };
    "/v1/workspace/members/{user_id}": {
        delete: operations["members.remove"];
        patch: operations["members.changeRole"];
    };
    "/v1/workspaces": {
        post: operations["workspaces.create"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Analytics: {
            series: {
                date: string;
                unique_visitors: number;
                views: number;
            }[];
            share_links: {
                first_opened_at: string | null;
                label: string;
                view_count: number;
            }[];
            totals: {
                last_viewed_at: string | null;
                unique_visitors: number;
                views: number;
            };
            window: {
                days: number;
                requested_days: number;
                retention_days: number | null;
                truncated: boolean;
            };
        };
        ApiToken: {
            created_at: string;
            id: string;
            label: string;
            last_used_at: string | null;
            prefix: string;
        };
        AuditList: {
            entries: {
                action: "workspace.created" | "workspace.renamed" | "workspace.plan_changed" | "workspace.trial_extended" | "workspace.lapsed" | "workspace.deletion_scheduled" | "workspace.restored" | "billing.checkout_started" | "billing.portal_opened" | "subscription.started" | "subscription.past_due" | "subscription.recovered" | "subscription.cancelled" | "subscription.resumed" | "subscription.ended" | "subscription.duplicate_refunded" | "subscription.duplicate_ended" | "member.joined" | "member.role_changed" | "member.removed" | "member.left" | "invite.created" | "invite.resent" | "invite.cancelled" | "invite.accepted" | "project.visibility_changed" | "project.doorcode_changed" | "project.renamed" | "project.retitled" | "project.deleted" | "project.taken_down" | "project.put_back" | "folder.sharing_changed" | "allowlist.changed" | "share_link.created" | "share_link.changed" | "share_link.revoked" | "export.requested" | "export.downloaded";
                actor: {
                    id: string;
                    name: string;
                } | null;
                at: string;
                called: {
                    label: string | null;
                    slug: string;
                    title: string;
                } | null;
                id: string;
                target: {
                    id: string;
                    plan?: "starter" | "studio" | "agency";
                    type: "workspace";
                } | {
                    id: string;
                    role?: "admin" | "member";
                    type: "member";
                } | {
                    id: string;
                    role: "admin" | "member";
                    type: "invite";
                } | {
                    id: string;
                    type: "project";
                    visibility?: "public" | "password" | "private";
                } | {
                    id: string;
                    sharing: "private" | "team";
                    type: "folder";
                } | {
                    added: number;
                    comment_access?: "members" | "allowlist" | "anyone";
                    comment_allowlist_inherit?: boolean;
                    id: string;
                    level: "project" | "folder" | "workspace";
                    removed: number;
                    type: "allowlist";
                } | {
                    id: string;
                    project_id: string;
                    type: "share_link";
                } | {
                    id: string;
                    type: "export";
                };
            }[];
            next_cursor: string | null;
        };
        Availability: {
            available: boolean;
            reason: ("slug_taken" | "slug_reserved" | "validation_error") | null;
            slug: string;
        };
        BillingPage: {
            url: string;
        };
        Comment: {
            anchor: components["schemas"]["CommentAnchor"] | null;
            author: components["schemas"]["CommentAuthor"];
            body: string;
            created_at: string;
            editable_until?: string;
            edited: boolean;
            id: string;
            project_slug: string;
            replies: {
                author: components["schemas"]["CommentAuthor"];
                body: string;
                created_at: string;
                editable_until?: string;
                edited: boolean;
                id: string;
                parent_id: string;
                updated_at: string;
            }[];
            resolved_at: string | null;
            resolved_by: components["schemas"]["CommentAuthor"] | null;
            status: "open" | "resolved";
            updated_at: string;
            version: number;
        };
        CommentAllowlist: {
            comment_access: "members" | "allowlist" | "anyone";
            comment_allowlist_inherit: boolean;
            emails: string[];
            inherited_emails: string[];
        };
        CommentAllowlistChanges: {
            add_emails?: string[] | null;
            comment_access?: ("members" | "allowlist" | "anyone") | null;
            comment_allowlist_inherit?: boolean | null;
            emails?: string[] | null;
            inherited_emails?: unknown;
            remove_emails?: string[] | null;
        };
        CommentAnchor: {
            column?: string | null;
            height?: number | null;
            line?: number | null;
            page?: number | null;
            path: string;
            prefix?: string | null;
            quote?: string | null;
            row?: number | null;
            selector?: string | null;
            suffix?: string | null;
            time?: number | null;
            where: string;
            width?: number | null;
            x?: number | null;
            y?: number | null;
        };
        CommentAuthor: {
            email: string | null;
            id: string | null;
            name: string;
        };
        CommentList: {
            comments: {
                anchor: components["schemas"]["CommentAnchor"] | null;
                author: components["schemas"]["CommentAuthor"];
                body: string;
                created_at: string;
                editable_until?: string;
                edited: boolean;
                id: string;
                project_slug: string;
                replies: {
                    author: components["schemas"]["CommentAuthor"];
                    body: string;
                    created_at: string;
                    editable_until?: string;
                    edited: boolean;
                    id: string;
                    parent_id: string;
                    updated_at: string;
                }[];
                resolved_at: string | null;
                resolved_by: components["schemas"]["CommentAuthor"] | null;
                status: "open" | "resolved";
                updated_at: string;
                version: number;
            }[];
            next_cursor: string | null;
        };
        CommentNotifications: {
            muted: boolean;
        };
        Comparison: {
            diffs: {
                hunks: {
                    from_line: number;
                    from_lines: number;
                    lines: {
                        kind: "same" | "removed" | "added";
                        no_newline_at_end?: true;
                        text: string;
                    }[];
                    to_line: number;
                    to_lines: number;
                }[] | null;
                left_out: ("too_large" | "no_room") | null;
                path: string;
            }[];
            files: {
                added: {
                    path: string;
                    size_bytes: number;
                }[];
                changed: {
                    path: string;
                    size_bytes_from: number;
                    size_bytes_to: number;
                }[];
                removed: {
                    path: string;
                    size_bytes: number;
                }[];
            };
            from: number;
            summary: {
                added: number;
                changed: number;
                removed: number;
                unchanged: number;
            };
            to: number;
            truncated: boolean;
        };
        DeletionImpact: {
            blocked: boolean;
            blockers: {
                name: string;
                other_members: number;
                workspace_id: string;
            }[];
            erase_on: string;
            live_links: number;
            projects: number;
            storage_bytes: number;
            workspaces: {
                id: string;
                live_links: number;
                name: string;
                projects: number;
            }[];
        };
        DeviceCodes: {
            device_code: string;
            expires_in: number;
            interval: number;
            user_code: string;
            verification_url: string;
            verification_url_complete: string;
        };
        DevicePoll: {
            status: "approved";
            token: string;
        } | {
            status: "pending";
        };
        DeviceRequest: {
            address: string;
            client: string;
            expires_at: string;
            requested_at: string;
            user_code: string;
        };
        Export: {
            completed_at: string | null;
            expires_at: string | null;
            id: string;
            requested_at: string;
            size_bytes: number | null;
            status: "queued" | "building" | "ready" | "expired" | "failed";
        };
        Files: {
            files: {
                path: string;
                sha256: string;
                size_bytes: number;
                type: string;
            }[];
            next_cursor: string | null;
            version: number;
        };
        Folder: {
            created_at: string;
            created_by: {
                id: string;
                name: string;
            };
            id: string;
            name: string;
            project_count: number;
            sharing: "private" | "team";
            updated_at: string;
        };
        FolderList: {
            folders: {
                created_at: string;
                created_by: {
                    id: string;
                    name: string;
                };
                id: string;
                name: string;
                project_count: number;
                sharing: "private" | "team";
                updated_at: string;
            }[];
            next_cursor: string | null;
        };
        Grant: {
            address: string | null;
            client: string;
            created_at: string;
            id: string;
            kind: "device" | "agent";
            last_used_at: string | null;
        };
        Invitation: {
            email: string;
            expires_at: string;
            has_account: boolean;
            inviter: string | null;
            role: "admin" | "member";
            signed_in_as: string | null;
            workspace: string;
            workspace_id: string;
        };
        Invite: {
            created_at: string;
            email: string;
            expires_at: string;
            id: string;
            invited_by: {
                id: string;
                name: string;
            } | null;
            role: "admin" | "member";
            status: "pending" | "expired" | "accepted";
        };
        InviteAccepted: {
            created_at: string;
            csrf_token?: string;
            email: string;
            email_verified: boolean;
            has_password: boolean;
            id: string;
            idp_linked: boolean;
            is_platform_admin: boolean;
            name: string;
        };
        Me: {
            user: components["schemas"]["User"];
            workspaces: components["schemas"]["WorkspaceSummary"][];
        };
        Member: {
            email: string;
            is_owner: boolean;
            joined_at: string;
            name: string;
            role: "admin" | "member";
            user_id: string;
        };
        Missing: {
            missing: {
                count: number;
                message: string;
                paths: string[];
            } | null;
            version: number;
        };
        NewApiToken: {
            created_at: string;
            id: string;
            label: string;
            last_used_at: string | null;
            prefix: string;
            token: string;
        };
        NewComment: {
            anchor?: {
                column?: string | null;
                height?: number | null;
                line?: number | null;
                page?: number | null;
                path: string;
                prefix?: string | null;
                quote?: string | null;
                row?: number | null;
                selector?: string | null;
                suffix?: string | null;
                time?: number | null;
                width?: number | null;
                x?: number | null;
                y?: number | null;
            } | null;
            body: string;
            parent_id?: string | null;
            version?: number | null;
        };
        NewShareLink: {
            created_at: string;
            expires_at: string | null;
            first_opened_at: string | null;
            id: string;
            label: string;
            last_opened_at?: string | null;
            notify_on_first_open: boolean;
            share_url: string;
            token: string;
            view_count: number;
        };
        NoExport: {
            status: null;
        };
        OauthConsent: {
            client_id: string;
            client_name: string;
            client_uri: string | null;
            fault: {
                message: string;
                redirect_to: string;
            } | null;
            redirect_hosts: string[];
            scope: string;
        };
        OauthDecision: {
            redirect_to: string;
        };
        Plans: {
            billing_enabled: boolean;
            plans: {
                agency?: ("month" | "year")[];
                starter?: ("month" | "year")[];
                studio?: ("month" | "year")[];
            };
        };
        Project: {
            comment_access: "members" | "allowlist" | "anyone";
            comment_allowlist_inherit: boolean;
            comments_enabled: boolean;
            created_at: string;
            excerpt?: string | null;
            expires_at: string | null;
            file_count: number;
            folder_id: string | null;
            html_display_mode: "auto" | "framed" | "raw";
            id: string;
            indexable: boolean;
            kind: ("site" | "pdf" | "markdown" | "text" | "image" | "video" | "data") | null;
            missing?: {
                count: number;
                message: string;
                paths: string[];
            };
            owner: {
                id: string;
                name: string;
            };
            password: string | null;
            published_at: string | null;
            size_bytes: number;
            slug: string;
            taken_down_at: string | null;
            thumbnail?: {
                height: number;
                width: number;
            } | null;
            title: string;
            updated_at: string;
            url: string;
            version: number;
            visibility: "public" | "password" | "private";
            workspace_id: string;
        };
        ProjectChanges: {
            comment_access?: "members" | "allowlist" | "anyone";
            comment_allowlist_inherit?: boolean;
            comments_enabled?: boolean;
            created_at?: unknown;
            excerpt?: unknown;
            expires_at?: string | null;
            file_count?: unknown;
            folder_id?: string | null;
            html_display_mode?: "auto" | "framed" | "raw";
            id?: unknown;
            indexable?: boolean;
            kind?: unknown;
            owner?: unknown;
            password?: string | null;
            published_at?: unknown;
            size_bytes?: unknown;
            slug?: string;
            taken_down_at?: unknown;
            thumbnail?: unknown;
            title?: string | null;
            updated_at?: unknown;
            url?: unknown;
            version?: unknown;
            versions?: unknown;
            visibility?: "public" | "password" | "private";
            workspace_id?: unknown;
        };
        ProjectDetail: {
            comment_access: "members" | "allowlist" | "anyone";
            comment_allowlist_inherit: boolean;
            comments_enabled: boolean;
            created_at: string;
            excerpt?: string | null;
            expires_at: string | null;
            file_count: number;
            folder_id: string | null;
            html_display_mode: "auto" | "framed" | "raw";
            id: string;
            indexable: boolean;
            kind: ("site" | "pdf" | "markdown" | "text" | "image" | "video" | "data") | null;
            owner: {
                id: string;
                name: string;
            };
            password: string | null;
            published_at: string | null;
            size_bytes: number;
            slug: string;
            taken_down_at: string | null;
            thumbnail?: {
                height: number;
                width: number;
            } | null;
            title: string;
            updated_at: string;
            url: string;
            version: number;
            versions: {
                created_at: string;
                created_by: {
                    id: string;
                    name: string;
                };
                current: boolean;
                file_count: number;
                kind: "site" | "pdf" | "markdown" | "text" | "image" | "video" | "data";
                size_bytes: number;
                version: number;
            }[];
            visibility: "public" | "password" | "private";
            workspace_id: string;
        };
        ProjectList: {
            next_cursor: string | null;
            projects: {
                comment_access: "members" | "allowlist" | "anyone";
                comment_allowlist_inherit: boolean;
                comments_enabled: boolean;
                created_at: string;
                excerpt?: string | null;
                expires_at: string | null;
                file_count: number;
                folder_id: string | null;
                html_display_mode: "auto" | "framed" | "raw";
                id: string;
                indexable: boolean;
                kind: ("site" | "pdf" | "markdown" | "text" | "image" | "video" | "data") | null;
                missing?: {
                    count: number;
                    message: string;
                    paths: string[];
                };
                owner: {
                    id: string;
                    name: string;
                };
                password: string | null;
                published_at: string | null;
                size_bytes: number;
                slug: string;
                taken_down_at: string | null;
                thumbnail?: {
                    height: number;
                    width: number;
                } | null;
                title: string;
                updated_at: string;
                url: string;
                version: number;
                visibility: "public" | "password" | "private";
                workspace_id: string;
            }[];
            usage: {
                projects: number;
                seats: number;
                storage_bytes: number;
            };
        };
        Published: {
            kind: "site" | "pdf" | "markdown" | "text" | "image" | "video" | "data";
            missing?: {
                count: number;
                message: string;
                paths: string[];
            };
            password: string | null;
            slug: string;
            url: string;
            version: number;
            visibility: "public" | "password" | "private";
        };
        Reader: {
            comment_token: string;
            user: {
                email: string;
                name: string;
            };
        };
        Reply: {
            author: components["schemas"]["CommentAuthor"];
            body: string;
            created_at: string;
            editable_until?: string;
            edited: boolean;
            id: string;
            parent_id: string;
            updated_at: string;
        };
        ScheduledDeletion: {
            erase_on: string;
            live_links: number;
            status: "scheduled";
            target_id: string;
            target_type: "user" | "workspace";
        };
        ShareLink: {
            created_at: string;
            expires_at: string | null;
            first_opened_at: string | null;
            id: string;
            label: string;
            last_opened_at?: string | null;
            notify_on_first_open: boolean;
            view_count: number;
        };
        ShareLinkChanges: {
            created_at?: unknown;
            expires_at?: string | null;
            expires_in_days?: number | null;
            first_opened_at?: unknown;
            id?: unknown;
            label?: string;
            last_opened_at?: unknown;
            notify_on_first_open?: boolean;
            share_url?: unknown;
            token?: unknown;
            view_count?: unknown;
        };
        SignedIn: {
            created_at: string;
            csrf_token: string;
            email: string;
            email_verified: boolean;
            has_password: boolean;
            id: string;
            idp_linked: boolean;
            is_platform_admin: boolean;
            name: string;
        };
        Status: {
            status: "ok";
        };
        Subscription: {
            can_checkout: boolean;
            can_portal: boolean;
            cancel_at_period_end: boolean;
            current_period_end: string | null;
            lapses: boolean;
            links_down_on: string | null;
            payment_coming: boolean;
            plan: "starter" | "studio" | "agency";
            state: "trialing" | "active" | "past_due" | "lapsed" | "down";
            trial_ends_at: string | null;
        };
        User: {
            created_at: string;
            email: string;
            email_verified: boolean;
            has_password: boolean;
            id: string;
            idp_linked: boolean;
            is_platform_admin: boolean;
            name: string;
        };
        WaysIn: {
            identity_provider: boolean;
            mailbox_url: string | null;
        };
        Workspace: {
            billing_state: "trialing" | "active" | "past_due" | "lapsed" | "down";
            created_at: string;
            id: string;
            is_owner: boolean;
            limits: {
                analytics_days: number;
                projects: number;
                seats: number;
                storage_bytes: number;
                upload_bytes: number;
                versions_kept: number;
            };
            links_down_on: string | null;
            member_count: number;
            name: string;
            plan: "starter" | "studio" | "agency";
            role: "admin" | "member";
            trial_ends_at: string | null;
            usage: {
                projects: number;
                seats: number;
                storage_bytes: number;
            };
        };
        WorkspaceDeletionImpact: {
            erase_on: string;
            live_links: number;
            name: string;
            other_members: number;
            projects: number;
            storage_bytes: number;
            workspace_id: string;
        };
        WorkspaceSummary: {
            billing_state: "trialing" | "active" | "past_due" | "lapsed" | "down";
            id: string;
            is_owner: boolean;
            links_down_on: string | null;
            name: string;
            plan: "starter" | "studio" | "agency";
            role: "admin" | "member";
            trial_ends_at: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "erasure.restore": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                target_id: string;
                target_type: "user" | "workspace";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        restored: boolean;
                    };
                };
            };
        };
    };
    "auth.csrf": {
        responses: {
            200: {
                content: {
                    "application/json": {
                        csrf_token: string;
                    };
                };
            };
        };
    };
    "devices.start": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeviceCodes"];
                };
            };
        };
    };
    "devices.look": {
        parameters: {
            path: {
                user_code: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeviceRequest"];
                };
            };
        };
    };
    "devices.approve": {
        requestBody: {
            content: {
                "application/json": {
                    user_code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        status: "approved";
                    };
                };
            };
        };
    };
    "devices.deny": {
        requestBody: {
            content: {
                "application/json": {
                    user_code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        status: "denied";
                    };
                };
            };
        };
    };
    "devices.poll": {
        requestBody: {
            content: {
                "application/json": {
                    device_code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DevicePoll"];
                };
            };
        };
    };
    "idp.begin": {
        parameters: {
            query?: {
                next?: string | string[];
            };
        };
        responses: never;
    };
    "idp.callback": {
        parameters: {
            query?: {
                code?: string | string[];
                error?: string | string[];
                error_description?: string | string[];
                iss?: string | string[];
                state?: string | string[];
            };
        };
        responses: never;
    };
    "idp.beginLink": {
        responses: never;
    };
    "idp.startLink": {
        responses: {
            200: {
                content: {
                    "application/json": {
                        redirect_to: string;
                    };
                };
            };
        };
    };
    "idp.unlink": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "invites.accept": {
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    password?: string | null;
                    token: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InviteAccepted"];
                };
            };
        };
    };
    "invites.look": {
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "auth.login": {
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    "auth.logout": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.logoutAll": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.magicLink": {
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    next?: string | null;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.openMagicLink": {
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    "auth.resetPassword": {
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    next?: string | null;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.confirmReset": {
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    token: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.changePassword": {
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        csrf_token: string;
                        status: "ok";
                    };
                };
            };
        };
    };
    "auth.signup": {
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    name?: string | null;
                    next?: string | null;
                    password: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.confirmEmail": {
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        email: string;
                        status: "ok";
                    };
                };
            };
        };
    };
    "auth.resendVerification": {
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    next?: string | null;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "auth.ways": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WaysIn"];
                };
            };
        };
    };
    "billing.checkout": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    interval: "month" | "year";
                    plan: "starter" | "studio" | "agency";
                    workspace: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
        };
    };
    "billing.plans": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Plans"];
                };
            };
        };
    };
    "billing.portal": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
        };
    };
    "billing.subscription": {
        parameters: {
            query: {
                workspace: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "billing.webhook": {
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "comments.remove": {
        parameters: {
            query?: {
                author_only?: "true" | "false";
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "comments.edit": {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    anchor?: unknown;
                    author?: unknown;
                    body: string;
                    created_at?: unknown;
                    editable_until?: unknown;
                    edited?: unknown;
                    id?: unknown;
                    parent_id?: unknown;
                    project_slug?: unknown;
                    replies?: unknown;
                    resolved_at?: unknown;
                    resolved_by?: unknown;
                    status?: "open";
                    updated_at?: unknown;
                    version?: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Comment"] | components["schemas"]["Reply"];
                };
            };
        };
    };
    "comments.reopen": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    "comments.reply": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
        };
    };
    "comments.resolve": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    "exports.download": {
        parameters: {
            query: {
                token: string;
            };
            path: {
                export_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/zip": string;
                };
            };
            206: {
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    "folders.list": {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FolderList"];
                };
            };
        };
    };
    "folders.create": {
        parameters: {
            query?: {
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    sharing?: ("private" | "team") | null;
                    workspace?: string | null;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
        };
    };
    "folders.remove": {
        parameters: {
            query?: {
                move_projects?: "true" | "false";
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "folders.change": {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    created_at?: unknown;
                    created_by?: unknown;
                    id?: unknown;
                    name?: string;
                    project_count?: unknown;
                    sharing?: "private" | "team";
                    updated_at?: unknown;
                    workspace_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
        };
    };
    "allowlists.ofFolder": {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "allowlists.changeFolder": {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentAllowlistChanges"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "account.me": {
        parameters: {
            query?: {
                shell?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Me"] | components["schemas"]["Reader"];
                };
            };
        };
    };
    "erasure.deleteAccount": {
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["ScheduledDeletion"];
                };
            };
        };
    };
    "account.rename": {
        requestBody: {
            content: {
                "application/json": {
                    created_at?: unknown;
                    email?: unknown;
                    email_verified?: unknown;
                    has_password?: unknown;
                    id?: unknown;
                    idp_linked?: unknown;
                    is_platform_admin?: unknown;
                    name: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    "erasure.impact": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletionImpact"];
                };
            };
        };
    };
    "grants.list": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Grant"][];
                };
            };
        };
    };
    "grants.revoke": {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "oauth.authorize": {
        requestBody: {
            content: {
                "application/json": {
                    client_id: string;
                    code_challenge?: string | null;
                    code_challenge_method?: string | null;
                    decision: "approve" | "deny";
                    redirect_uri: string;
                    resource?: string | null;
                    scope?: string | null;
                    state?: string | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OauthDecision"];
                };
            };
        };
    };
    "oauth.info": {
        parameters: {
            query: {
                client_id: string;
                code_challenge?: string;
                code_challenge_method?: string;
                redirect_uri?: string;
                resource?: string;
                response_type?: string;
                scope?: string;
                state?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OauthConsent"];
                };
            };
        };
    };
    "projects.list": {
        parameters: {
            query?: {
                cursor?: string;
                folder_id?: string;
                include?: "excerpt";
                limit?: number;
                query?: string;
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
        };
    };
    "projects.create": {
        parameters: {
            query?: {
                comment_access?: "members" | "allowlist" | "anyone";
                comment_allowlist_inherit?: "true" | "false";
                comments_enabled?: "true" | "false";
                expires_at?: string;
                expires_in_days?: number;
                folder_id?: string;
                html_display_mode?: "auto" | "framed" | "raw";
                indexable?: "true" | "false";
                slug?: string;
                title?: string;
                visibility?: "public" | "password" | "private";
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    comment_access?: "members" | "allowlist" | "anyone";
                    comment_allowlist_inherit?: "true" | "false";
                    comments_enabled?: "true" | "false";
                    expires_at?: string;
                    expires_in_days?: string;
                    file?: string[];
                    folder_id?: string;
                    html_display_mode?: "auto" | "framed" | "raw";
                    indexable?: "true" | "false";
                    password?: string;
                    slug?: string;
                    title?: string;
                    visibility?: "public" | "password" | "private";
                    workspace?: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    "projects.get": {
        parameters: {
            query?: {
                include?: "excerpt";
            };
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    "projects.publish": {
        parameters: {
            query?: {
                base_version?: number;
                comment_access?: "members" | "allowlist" | "anyone";
                comment_allowlist_inherit?: "true" | "false";
                comments_enabled?: "true" | "false";
                expires_at?: string;
                expires_in_days?: number;
                folder_id?: string;
                html_display_mode?: "auto" | "framed" | "raw";
                indexable?: "true" | "false";
                title?: string;
                visibility?: "public" | "password" | "private";
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Published"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Published"];
                };
            };
        };
    };
    "projects.remove": {
        parameters: {
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "projects.change": {
        parameters: {
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChanges"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    "analytics.of": {
        parameters: {
            query?: {
                days?: number;
                format?: "json" | "csv";
            };
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Analytics"];
                    "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    "projects.available": {
        parameters: {
            query?: {
                workspace?: string;
            };
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Availability"];
                };
            };
        };
    };
    "allowlists.ofProject": {
        parameters: {
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "allowlists.changeProject": {
        parameters: {
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentAllowlistChanges"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "comments.notifications": {
        parameters: {
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentNotifications"];
                };
            };
        };
    };
    "comments.mute": {
        parameters: {
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentNotifications"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentNotifications"];
                };
            };
        };
    };
    "comments.list": {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "open" | "resolved" | "all";
            };
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentList"];
                };
            };
        };
    };
    "comments.post": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewComment"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Comment"] | components["schemas"]["Reply"];
                };
            };
        };
    };
    "projects.files": {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Files"];
                };
            };
        };
    };
    "projects.addFiles": {
        parameters: {
            query?: {
                base_version?: number;
                comment_access?: "members" | "allowlist" | "anyone";
                comment_allowlist_inherit?: "true" | "false";
                comments_enabled?: "true" | "false";
                delete?: string[];
                expires_at?: string;
                expires_in_days?: number;
                folder_id?: string;
                html_display_mode?: "auto" | "framed" | "raw";
                indexable?: "true" | "false";
                title?: string;
                visibility?: "public" | "password" | "private";
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    base_version?: string;
                    comment_access?: "members" | "allowlist" | "anyone";
                    comment_allowlist_inherit?: "true" | "false";
                    comments_enabled?: "true" | "false";
                    delete?: string[];
                    expires_at?: string;
                    expires_in_days?: string;
                    file?: string[];
                    folder_id?: string;
                    html_display_mode?: "auto" | "framed" | "raw";
                    indexable?: "true" | "false";
                    password?: string;
                    slug?: string;
                    title?: string;
                    visibility?: "public" | "password" | "private";
                    workspace?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    "projects.missing": {
        parameters: {
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Missing"];
                };
            };
        };
    };
    "shareLinks.list": {
        parameters: {
            path: {
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ShareLink"][];
                };
            };
        };
    };
    "shareLinks.create": {
        parameters: {
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at?: string | null;
                    expires_in_days?: number | null;
                    label: string;
                    notify_on_first_open?: boolean | null;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NewShareLink"];
                };
            };
        };
    };
    "projects.compare": {
        parameters: {
            path: {
                from: number;
                slug: string;
                to: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    "projects.download": {
        parameters: {
            path: {
                slug: string;
                version: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    "projects.restore": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
            path: {
                slug: string;
                version: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    "projects.thumbnail": {
        parameters: {
            path: {
                slug: string;
                version: number;
            };
        };
        responses: {
            200: {
                content: {
                    "image/webp": string;
                };
            };
        };
    };
    "shareLinks.revoke": {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "shareLinks.change": {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareLinkChanges"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
        };
    };
    "tokens.list": {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiToken"][];
                };
            };
        };
    };
    "tokens.create": {
        requestBody: {
            content: {
                "application/json": {
                    label: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NewApiToken"];
                };
            };
        };
    };
    "tokens.revoke": {
        parameters: {
            path: {
                token_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "workspaces.get": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    "erasure.deleteWorkspace": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    workspace: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["ScheduledDeletion"];
                };
            };
        };
    };
    "workspaces.change": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    billing_state?: unknown;
                    created_at?: unknown;
                    id?: unknown;
                    is_owner?: unknown;
                    limits?: unknown;
                    links_down_on?: unknown;
                    member_count?: unknown;
                    name?: string;
                    plan?: unknown;
                    role?: unknown;
                    trial_ends_at?: unknown;
                    usage?: unknown;
                    workspace_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
        };
    };
    "allowlists.ofWorkspace": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "allowlists.changeWorkspace": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentAllowlistChanges"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAllowlist"];
                };
            };
        };
    };
    "erasure.workspaceImpact": {
        parameters: {
            query: {
                workspace: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WorkspaceDeletionImpact"];
                };
            };
        };
    };
    "exports.latest": {
        parameters: {
            query: {
                workspace: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Export"] | components["schemas"]["NoExport"];
                };
            };
        };
    };
    "exports.request": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    workspace: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    "invites.list": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Invite"][];
                };
            };
        };
    };
    "invites.create": {
        parameters: {
            query?: {
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    role: "admin" | "member";
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
        };
    };
    "invites.cancel": {
        parameters: {
            query?: {
                workspace?: string;
            };
            path: {
                invite_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "invites.resend": {
        parameters: {
            query?: {
                workspace?: string;
            };
            header: {
                "Idempotency-Key": string;
            };
            path: {
                invite_id: string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
        };
    };
    "members.list": {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
        };
    };
    "members.remove": {
        parameters: {
            query?: {
                workspace?: string;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    "members.changeRole": {
        parameters: {
            query?: {
                workspace?: string;
            };
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: unknown;
                    is_owner?: unknown;
                    joined_at?: unknown;
                    name?: unknown;
                    role: "admin" | "member";
                    user_id?: unknown;
                    workspace_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    "workspaces.create": {
        parameters: {
            header: {
                "Idempotency-Key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
}
