// Generated from supabase/migrations by `npm run generate`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: '12' };
  public: {
    Tables: {
      blocks: {
        Row: {
          blocked: string;
          blocker: string;
          created_at: string;
          listed: boolean;
          name: string | null;
        };
        Insert: {
          blocked: string;
          blocker?: string;
          created_at?: string;
          listed?: boolean;
          name?: string | null;
        };
        Update: {
          blocked?: string;
          blocker?: string;
          created_at?: string;
          listed?: boolean;
          name?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'blocks_blocked_fkey';
            columns: ['blocked'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'blocks_blocker_fkey';
            columns: ['blocker'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      check_in_dogs: {
        Row: { check_in_id: string; dog_id: string; taken_from: string | null };
        Insert: { check_in_id: string; dog_id: string; taken_from?: string | null };
        Update: { check_in_id?: string; dog_id?: string; taken_from?: string | null };
        Relationships: [
          {
            foreignKeyName: 'check_in_dogs_check_in_id_fkey';
            columns: ['check_in_id'];
            isOneToOne: false;
            referencedRelation: 'check_ins';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'check_in_dogs_dog_id_fkey';
            columns: ['dog_id'];
            isOneToOne: false;
            referencedRelation: 'dogs';
            referencedColumns: ['id'];
          },
        ];
      };
      check_ins: {
        Row: {
          asked_fact: string | null;
          changed_at: string | null;
          counted: boolean;
          dog_count: number;
          ended_at: string | null;
          expires_at: string;
          id: string;
          kind: Database['public']['Enums']['check_in_kind'];
          park_id: number;
          question_answered: boolean;
          review_asked: boolean;
          started_at: string;
          user_id: string;
          vouched: boolean;
        };
        Insert: {
          asked_fact?: string | null;
          changed_at?: string | null;
          counted?: boolean;
          dog_count: number;
          ended_at?: string | null;
          expires_at: string;
          id?: string;
          kind?: Database['public']['Enums']['check_in_kind'];
          park_id: number;
          question_answered?: boolean;
          review_asked?: boolean;
          started_at?: string;
          user_id: string;
          vouched?: boolean;
        };
        Update: {
          asked_fact?: string | null;
          changed_at?: string | null;
          counted?: boolean;
          dog_count?: number;
          ended_at?: string | null;
          expires_at?: string;
          id?: string;
          kind?: Database['public']['Enums']['check_in_kind'];
          park_id?: number;
          question_answered?: boolean;
          review_asked?: boolean;
          started_at?: string;
          user_id?: string;
          vouched?: boolean;
        };
        Relationships: [
          {
            foreignKeyName: 'check_ins_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'check_ins_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      device_tokens: {
        Row: {
          device_id: string;
          platform: Database['public']['Enums']['device_platform'];
          session_id: string | null;
          time_zone: string | null;
          token: string;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          device_id: string;
          platform: Database['public']['Enums']['device_platform'];
          session_id?: string | null;
          time_zone?: string | null;
          token: string;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          device_id?: string;
          platform?: Database['public']['Enums']['device_platform'];
          session_id?: string | null;
          time_zone?: string | null;
          token?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'device_tokens_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      dogs: {
        Row: {
          birthday: string;
          birthday_by_month: boolean;
          breed: string;
          created_at: string;
          deleted_at: string | null;
          description: string | null;
          dislikes: string | null;
          energy: Database['public']['Enums']['dog_energy'] | null;
          gender: Database['public']['Enums']['dog_gender'];
          id: string;
          likes: string | null;
          name: string;
          owner: string;
          photo: string | null;
          possessive: boolean | null;
          size: Database['public']['Enums']['dog_size'] | null;
          temperament: string | null;
        };
        Insert: {
          birthday: string;
          birthday_by_month?: boolean;
          breed: string;
          created_at?: string;
          deleted_at?: string | null;
          description?: string | null;
          dislikes?: string | null;
          energy?: Database['public']['Enums']['dog_energy'] | null;
          gender: Database['public']['Enums']['dog_gender'];
          id?: string;
          likes?: string | null;
          name: string;
          owner?: string;
          photo?: string | null;
          possessive?: boolean | null;
          size?: Database['public']['Enums']['dog_size'] | null;
          temperament?: string | null;
        };
        Update: {
          birthday?: string;
          birthday_by_month?: boolean;
          breed?: string;
          created_at?: string;
          deleted_at?: string | null;
          description?: string | null;
          dislikes?: string | null;
          energy?: Database['public']['Enums']['dog_energy'] | null;
          gender?: Database['public']['Enums']['dog_gender'];
          id?: string;
          likes?: string | null;
          name?: string;
          owner?: string;
          photo?: string | null;
          possessive?: boolean | null;
          size?: Database['public']['Enums']['dog_size'] | null;
          temperament?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'dogs_owner_fkey';
            columns: ['owner'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      favourite_parks: {
        Row: { created_at: string; park_id: number; user_id: string };
        Insert: { created_at?: string; park_id: number; user_id?: string };
        Update: { created_at?: string; park_id?: number; user_id?: string };
        Relationships: [
          {
            foreignKeyName: 'favourite_parks_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'favourite_parks_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      former_parks: {
        Row: {
          merged_into: number | null;
          park_id: number;
          reason: Database['public']['Enums']['park_claim'];
          since: string;
        };
        Insert: {
          merged_into?: number | null;
          park_id: number;
          reason: Database['public']['Enums']['park_claim'];
          since?: string;
        };
        Update: {
          merged_into?: number | null;
          park_id?: number;
          reason?: Database['public']['Enums']['park_claim'];
          since?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'former_parks_merged_into_fkey';
            columns: ['merged_into'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'former_parks_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: true;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
        ];
      };
      notifications: {
        Row: {
          app_message: string;
          created_at: string;
          data: Json;
          id: string;
          is_ready: boolean;
          push_message: string;
          read_at: string | null;
          receiver_id: string;
          seen_at: string | null;
          sender_id: string | null;
          title: string;
          type: Database['public']['Enums']['notification_type'];
        };
        Insert: {
          app_message?: string;
          created_at?: string;
          data?: Json;
          id?: string;
          is_ready?: boolean;
          push_message?: string;
          read_at?: string | null;
          receiver_id: string;
          seen_at?: string | null;
          sender_id?: string | null;
          title?: string;
          type: Database['public']['Enums']['notification_type'];
        };
        Update: {
          app_message?: string;
          created_at?: string;
          data?: Json;
          id?: string;
          is_ready?: boolean;
          push_message?: string;
          read_at?: string | null;
          receiver_id?: string;
          seen_at?: string | null;
          sender_id?: string | null;
          title?: string;
          type?: Database['public']['Enums']['notification_type'];
        };
        Relationships: [
          {
            foreignKeyName: 'notifications_receiver_id_fkey';
            columns: ['receiver_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'notifications_sender_id_fkey';
            columns: ['sender_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      notifications_preferences: {
        Row: {
          desk_decision: boolean;
          friend_approval: boolean;
          friend_request: boolean;
          friend_there: boolean;
          hazard: boolean;
          lost_dog: boolean;
          muted: boolean;
          park_invite: boolean;
          quiet_from: number;
          quiet_to: number;
          user_id: string;
        };
        Insert: {
          desk_decision?: boolean;
          friend_approval?: boolean;
          friend_request?: boolean;
          friend_there?: boolean;
          hazard?: boolean;
          lost_dog?: boolean;
          muted?: boolean;
          park_invite?: boolean;
          quiet_from?: number;
          quiet_to?: number;
          user_id?: string;
        };
        Update: {
          desk_decision?: boolean;
          friend_approval?: boolean;
          friend_request?: boolean;
          friend_there?: boolean;
          hazard?: boolean;
          lost_dog?: boolean;
          muted?: boolean;
          park_invite?: boolean;
          quiet_from?: number;
          quiet_to?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'notifications_preferences_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      own_changes: {
        Row: { changed: string; changed_at: string; user_id: string };
        Insert: { changed: string; changed_at: string; user_id: string };
        Update: { changed?: string; changed_at?: string; user_id?: string };
        Relationships: [
          {
            foreignKeyName: 'own_changes_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      park_invites: {
        Row: {
          changed_at: string;
          created_at: string;
          id: string;
          meet_at: string;
          park_id: number;
          receiver_id: string;
          sender_id: string;
          status: Database['public']['Enums']['invite_status'];
        };
        Insert: {
          changed_at?: string;
          created_at?: string;
          id?: string;
          meet_at: string;
          park_id: number;
          receiver_id: string;
          sender_id: string;
          status?: Database['public']['Enums']['invite_status'];
        };
        Update: {
          changed_at?: string;
          created_at?: string;
          id?: string;
          meet_at?: string;
          park_id?: number;
          receiver_id?: string;
          sender_id?: string;
          status?: Database['public']['Enums']['invite_status'];
        };
        Relationships: [
          {
            foreignKeyName: 'park_invites_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'park_invites_receiver_id_fkey';
            columns: ['receiver_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'park_invites_sender_id_fkey';
            columns: ['sender_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      park_photos: {
        Row: {
          created_at: string;
          of_hazard: boolean;
          park_id: number;
          path: string;
          status: Database['public']['Enums']['park_status'];
        };
        Insert: {
          created_at?: string;
          of_hazard?: boolean;
          park_id: number;
          path: string;
          status?: Database['public']['Enums']['park_status'];
        };
        Update: {
          created_at?: string;
          of_hazard?: boolean;
          park_id?: number;
          path?: string;
          status?: Database['public']['Enums']['park_status'];
        };
        Relationships: [
          {
            foreignKeyName: 'park_photos_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
        ];
      };
      park_suggestions: {
        Row: {
          before: Json;
          claim: Database['public']['Enums']['park_claim'] | null;
          created_at: string;
          decided_at: string | null;
          double_of: number | null;
          facts: Json | null;
          has_facilities: boolean | null;
          id: string;
          lat: number | null;
          long: number | null;
          materials: Database['public']['Enums']['ground'][] | null;
          park_id: number;
          shade: number | null;
          size: number | null;
          status: Database['public']['Enums']['park_status'];
          user_id: string;
          words: Json | null;
        };
        Insert: {
          before?: Json;
          claim?: Database['public']['Enums']['park_claim'] | null;
          created_at?: string;
          decided_at?: string | null;
          double_of?: number | null;
          facts?: Json | null;
          has_facilities?: boolean | null;
          id?: string;
          lat?: number | null;
          long?: number | null;
          materials?: Database['public']['Enums']['ground'][] | null;
          park_id: number;
          shade?: number | null;
          size?: number | null;
          status?: Database['public']['Enums']['park_status'];
          user_id: string;
          words?: Json | null;
        };
        Update: {
          before?: Json;
          claim?: Database['public']['Enums']['park_claim'] | null;
          created_at?: string;
          decided_at?: string | null;
          double_of?: number | null;
          facts?: Json | null;
          has_facilities?: boolean | null;
          id?: string;
          lat?: number | null;
          long?: number | null;
          materials?: Database['public']['Enums']['ground'][] | null;
          park_id?: number;
          shade?: number | null;
          size?: number | null;
          status?: Database['public']['Enums']['park_status'];
          user_id?: string;
          words?: Json | null;
        };
        Relationships: [
          {
            foreignKeyName: 'park_suggestions_double_of_fkey';
            columns: ['double_of'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'park_suggestions_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'park_suggestions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      park_translations: {
        Row: {
          address: string;
          city: string;
          language: Database['public']['Enums']['language'];
          name: string;
          park_id: number;
        };
        Insert: {
          address: string;
          city: string;
          language: Database['public']['Enums']['language'];
          name: string;
          park_id: number;
        };
        Update: {
          address?: string;
          city?: string;
          language?: Database['public']['Enums']['language'];
          name?: string;
          park_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'park_translations_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
        ];
      };
      parks: {
        Row: {
          created_at: string;
          fact_sources: Json;
          facts: Json;
          has_facilities: boolean | null;
          id: number;
          lat: number;
          licence: string | null;
          long: number;
          materials: Database['public']['Enums']['ground'][];
          outline: Json | null;
          primary_photo: string | null;
          shade: number | null;
          size: number | null;
          size_label: Database['public']['Enums']['park_size'] | null;
          source: string | null;
          source_date: string | null;
          source_ref: string | null;
          status: Database['public']['Enums']['park_status'];
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          fact_sources?: Json;
          facts?: Json;
          has_facilities?: boolean | null;
          id?: number;
          lat: number;
          licence?: string | null;
          long: number;
          materials?: Database['public']['Enums']['ground'][];
          outline?: Json | null;
          primary_photo?: string | null;
          shade?: number | null;
          size?: number | null;
          size_label?: never;
          source?: string | null;
          source_date?: string | null;
          source_ref?: string | null;
          status?: Database['public']['Enums']['park_status'];
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          fact_sources?: Json;
          facts?: Json;
          has_facilities?: boolean | null;
          id?: number;
          lat?: number;
          licence?: string | null;
          long?: number;
          materials?: Database['public']['Enums']['ground'][];
          outline?: Json | null;
          primary_photo?: string | null;
          shade?: number | null;
          size?: number | null;
          size_label?: never;
          source?: string | null;
          source_date?: string | null;
          source_ref?: string | null;
          status?: Database['public']['Enums']['park_status'];
          updated_at?: string;
        };
        Relationships: [];
      };
      reviews: {
        Row: {
          anonymous: boolean;
          author: string | null;
          content: string;
          created_at: string;
          hidden_at: string | null;
          id: string;
          park_id: number;
          rank: number;
          remove_at: string | null;
          standing: Database['public']['Enums']['standing'];
          title: string;
          updated_at: string;
        };
        Insert: {
          anonymous?: boolean;
          author?: string | null;
          content?: string;
          created_at?: string;
          hidden_at?: string | null;
          id?: string;
          park_id: number;
          rank: number;
          remove_at?: string | null;
          standing?: Database['public']['Enums']['standing'];
          title?: string;
          updated_at?: string;
        };
        Update: {
          anonymous?: boolean;
          author?: string | null;
          content?: string;
          created_at?: string;
          hidden_at?: string | null;
          id?: string;
          park_id?: number;
          rank?: number;
          remove_at?: string | null;
          standing?: Database['public']['Enums']['standing'];
          title?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'reviews_author_fkey';
            columns: ['author'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'reviews_park_id_fkey';
            columns: ['park_id'];
            isOneToOne: false;
            referencedRelation: 'parks';
            referencedColumns: ['id'];
          },
        ];
      };
      user_roles: {
        Row: {
          code_hash: string | null;
          factor_id: string | null;
          granted_at: string;
          role: Database['public']['Enums']['role'];
          told_at: string;
          town_id: number | null;
          user_id: string;
        };
        Insert: {
          code_hash?: string | null;
          factor_id?: string | null;
          granted_at?: string;
          role: Database['public']['Enums']['role'];
          told_at?: string;
          town_id?: number | null;
          user_id: string;
        };
        Update: {
          code_hash?: string | null;
          factor_id?: string | null;
          granted_at?: string;
          role?: Database['public']['Enums']['role'];
          told_at?: string;
          town_id?: number | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'user_roles_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      users: {
        Row: {
          created_at: string;
          hidden: boolean;
          id: string;
          language: Database['public']['Enums']['language'];
          name: string;
          picture: string | null;
          show_favourites: boolean;
          show_friends: boolean;
          theme: Database['public']['Enums']['theme'] | null;
        };
        Insert: {
          created_at?: string;
          hidden?: boolean;
          id: string;
          language?: Database['public']['Enums']['language'];
          name: string;
          picture?: string | null;
          show_favourites?: boolean;
          show_friends?: boolean;
          theme?: Database['public']['Enums']['theme'] | null;
        };
        Update: {
          created_at?: string;
          hidden?: boolean;
          id?: string;
          language?: Database['public']['Enums']['language'];
          name?: string;
          picture?: string | null;
          show_favourites?: boolean;
          show_friends?: boolean;
          theme?: Database['public']['Enums']['theme'] | null;
        };
        Relationships: [];
      };
    };
    Views: {
      friend_requests: {
        Row: {
          created_at: string;
          direction: string;
          name: string;
          picture: string | null;
          user_id: string;
        };
        Relationships: [];
      };
      friends: {
        Row: { name: string; picture: string | null; since: string; user_id: string };
        Relationships: [];
      };
      park_conditions: {
        Row: {
          condition: Database['public']['Enums']['park_condition'];
          confirmations: number;
          confirmed_at: string | null;
          expires_at: string;
          id: string;
          mine: boolean;
          park_id: number;
          reported_at: string;
        };
        Relationships: [];
      };
      park_hazards: {
        Row: {
          city_informed_at: string | null;
          cleared_at: string | null;
          confirmations: number;
          expires_at: string;
          hazard: Database['public']['Enums']['park_hazard'];
          id: string;
          in_hand_by: string | null;
          mine: boolean;
          park_id: number;
          photos: string[];
          reported_at: string;
          verified: boolean;
        };
        Relationships: [];
      };
      park_reviews: {
        Row: {
          anonymous: boolean;
          author_id: string | null;
          author_name: string | null;
          author_picture: string | null;
          content: string;
          created_at: string;
          id: string;
          mine: boolean;
          park_id: number;
          rank: number;
          title: string;
          updated_at: string;
        };
        Relationships: [];
      };
    };
    Functions: {
      accept_friend_request: { Args: { p_user_id: string }; Returns: string };
      accept_terms: { Args: { p_licence?: boolean | null }; Returns: undefined };
      add_hazard_photo: { Args: { p_report_id: string; p_path: string }; Returns: boolean };
      answer_dog_invite: { Args: { p_invite_id: string; p_accept: boolean }; Returns: undefined };
      answer_pack_time: {
        Args: { p_pack_time_id: string; p_comes: boolean; p_skip?: string | null };
        Returns: undefined;
      };
      answer_park_question: {
        Args: { p_check_in_id: string; p_value?: string | null; p_key?: string | null };
        Returns: Json;
      };
      api_cleanup_device_tokens: { Args: { p_device_id: string }; Returns: undefined };
      ask_for_review: { Args: { p_visit_id: string }; Returns: Json };
      block_user: { Args: { p_user_id: string }; Returns: undefined };
      calendar_of: { Args: { p_secret_hash: string }; Returns: Json };
      call_off_meeting: { Args: { p_park_id: number; p_meet_at: string }; Returns: number };
      cancel_friend_request: { Args: { p_user_id: string }; Returns: string };
      check_in: {
        Args: {
          p_park_id: number;
          p_dog_ids?: string[] | null;
          p_dog_count?: number | null;
          p_stay_minutes?: number | null;
          p_switch?: boolean | null;
          p_key?: string | null;
          p_lat?: number | null;
          p_long?: number | null;
          p_accuracy?: number | null;
        };
        Returns: Json;
      };
      check_out: {
        Args: { p_visit_id: string; p_key?: string | null; p_undo?: boolean | null };
        Returns: Json;
      };
      choose_primary_photo: { Args: { p_path: string }; Returns: boolean };
      claim_photo_moves: {
        Args: { p_limit?: number | null; p_lease_seconds?: number | null };
        Returns: {
          id: number;
          lease: string;
          path: string;
          lies_in: string;
          target: string;
          new_path: string;
        }[];
      };
      claim_pushes: {
        Args: { p_limit?: number | null; p_lease_seconds?: number | null; p_kind?: string | null };
        Returns: {
          id: number;
          lease: string;
          token: string;
          p256dh: string;
          auth: string;
          notification_id: string;
          type: Database['public']['Enums']['notification_type'];
          title: string;
          body: string;
          data: Json;
          language: Database['public']['Enums']['language'];
          unseen: number;
          seconds: number;
          urgent: boolean;
          topic: string;
        }[];
      };
      claim_service_slot: {
        Args: {
          p_service: string;
          p_per_second: number;
          p_max_waiting: number;
          p_per_day?: number | null;
        };
        Returns: number;
      };
      confirm_age: { Args: Record<PropertyKey, never>; Returns: undefined };
      confirm_report: { Args: { p_report_id: string; p_key?: string | null }; Returns: boolean };
      decline_friend_request: { Args: { p_user_id: string }; Returns: string };
      delete_dog: { Args: { dog_id: string }; Returns: undefined };
      delete_review: { Args: { p_review_id: string }; Returns: undefined };
      delete_user_data: { Args: { p_user_id: string }; Returns: Json };
      desk_allow_download: { Args: Record<PropertyKey, never>; Returns: undefined };
      desk_app_errors: {
        Args: Record<PropertyKey, never>;
        Returns: { kind: string; version: string; count: number; last_day: string }[];
      };
      desk_audit_log: {
        Args: { p_before?: number | null };
        Returns: {
          id: number;
          at: string;
          actor: string;
          act: string;
          item: string;
          details: Json;
          person: string;
        }[];
      };
      desk_back_up: { Args: Record<PropertyKey, never>; Returns: undefined };
      desk_change_park: {
        Args: { p_park_id: number; p_change: string; p_into?: number | null };
        Returns: Json;
      };
      desk_claim: { Args: { p_kind: string; p_id: string }; Returns: Json };
      desk_counts: {
        Args: Record<PropertyKey, never>;
        Returns: { kind: string; waiting: number; others: number }[];
      };
      desk_decide: {
        Args: {
          p_kind: string;
          p_id: string;
          p_approve: boolean;
          p_reason?: Database['public']['Enums']['decision_reason'] | null;
        };
        Returns: string;
      };
      desk_decide_many: {
        Args: {
          p_kind: string;
          p_ids: string[];
          p_approve: boolean;
          p_reason?: Database['public']['Enums']['decision_reason'] | null;
        };
        Returns: number;
      };
      desk_decisions: {
        Args: { p_before?: string | null };
        Returns: {
          id: string;
          kind: string;
          item_id: string;
          park_id: number;
          park_name: string;
          decision: string;
          reason: Database['public']['Enums']['decision_reason'];
          mine: boolean;
          decided_at: string;
          undone_at: string;
          can_be_undone: boolean;
        }[];
      };
      desk_imports: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          imported_at: string;
          file: string;
          added: number;
          changed: number;
          undone_at: string;
          can_undo: boolean;
        }[];
      };
      desk_lift_all_measures: { Args: { p_user_id: string }; Returns: number };
      desk_lift_measure: { Args: { p_measure_id: string }; Returns: boolean };
      desk_members: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          name: string;
          role: Database['public']['Enums']['role'];
          granted_at: string;
          second_factor: boolean;
          town: string;
        }[];
      };
      desk_next: { Args: { p_kinds?: string[] | null; p_after?: string | null }; Returns: Json };
      desk_numbers: { Args: Record<PropertyKey, never>; Returns: Json };
      desk_people: {
        Args: { p_search: string };
        Returns: {
          id: string;
          name: string;
          joined: string;
          role: Database['public']['Enums']['role'];
          reports: number;
          limited: boolean;
        }[];
      };
      desk_person: { Args: { p_user_id: string }; Returns: Json };
      desk_queue: {
        Args: { p_kinds?: string[] | null };
        Returns: {
          kind: string;
          id: string;
          park_id: number;
          park_name: string;
          since: string;
          urgent: boolean;
          overdue: boolean;
          claimed: string;
        }[];
      };
      desk_release: { Args: { p_kind: string; p_id: string }; Returns: undefined };
      desk_remove_factors: { Args: { p_user_id: string }; Returns: boolean };
      desk_send_test_mail: { Args: Record<PropertyKey, never>; Returns: undefined };
      desk_set_role: {
        Args: {
          p_user_id: string;
          p_role?: Database['public']['Enums']['role'] | null;
          p_town?: string | null;
          p_parks?: number[] | null;
          p_area?: string | null;
        };
        Returns: string;
      };
      desk_take_measure: {
        Args: {
          p_kind: string;
          p_id: string;
          p_measure: Database['public']['Enums']['measure'];
          p_reason: Database['public']['Enums']['decision_reason'];
          p_until?: string | null;
        };
        Returns: string;
      };
      desk_undo: { Args: { p_decision_id: string }; Returns: boolean };
      desk_undo_import: { Args: { p_import_id: string }; Returns: Json };
      dog_invite: { Args: { p_secret: string; p_ask?: boolean | null }; Returns: Json };
      dog_people: { Args: { p_dog_id: string }; Returns: Json };
      dog_tag: { Args: { p_dog_id: string; p_renew?: boolean | null }; Returns: string };
      end_calendar_feed: { Args: Record<PropertyKey, never>; Returns: boolean };
      end_dog_person: { Args: { p_dog_id: string; p_user_id: string }; Returns: undefined };
      end_my_session: { Args: { p_session_id: string }; Returns: boolean };
      end_report: { Args: { p_report_id: string; p_key?: string | null }; Returns: boolean };
      export_user_page: { Args: { p_user_id: string; p_after?: Json | null }; Returns: Json };
      extend_stay: {
        Args: { p_visit_id: string; p_minutes: number; p_key?: string | null };
        Returns: Json;
      };
      favourites_of: { Args: { p_user_id: string }; Returns: number[] };
      finish_photo_move: {
        Args: { p_id: number; p_lease: string; p_error?: string | null };
        Returns: undefined;
      };
      finish_push: {
        Args: { p_id: number; p_lease: string; p_result: string; p_retry_seconds?: number | null };
        Returns: undefined;
      };
      finish_user_deletion: { Args: { p_user_id: string }; Returns: undefined };
      former_park: { Args: { p_park_id: number }; Returns: Json };
      found_dog: { Args: { p_dog_id: string }; Returns: boolean };
      friends_now: { Args: Record<PropertyKey, never>; Returns: Json };
      friends_of: {
        Args: { p_user_id: string };
        Returns: { user_id: string; name: string; picture: string }[];
      };
      hand_over_dog: { Args: { p_dog_id: string; p_user_id: string }; Returns: undefined };
      inform_city: { Args: { p_report_id: string; p_key?: string | null }; Returns: boolean };
      invite_to_park: {
        Args: {
          p_park_id: number;
          p_friend_ids: string[];
          p_meet_at: string;
          p_key?: string | null;
        };
        Returns: Json;
      };
      kept_dogs: { Args: Record<PropertyKey, never>; Returns: Json };
      limit_service_share: {
        Args: { p_service: string; p_headers: Json; p_most: number; p_per: string };
        Returns: undefined;
      };
      live_counts: { Args: { p_since?: number | null; p_fresh?: boolean | null }; Returns: Json };
      lost_dogs: { Args: Record<PropertyKey, never>; Returns: Json };
      mail_is_late: { Args: Record<PropertyKey, never>; Returns: boolean };
      make_calendar_feed: { Args: Record<PropertyKey, never>; Returns: string };
      make_dog_invite: {
        Args: {
          p_dog_id: string;
          p_role: Database['public']['Enums']['dog_role'];
          p_ends_at?: string | null;
        };
        Returns: string;
      };
      make_pack_time: {
        Args: { p_park_id: number; p_weekday: number; p_starts: string };
        Returns: string;
      };
      mark_all_notifications_as_read: { Args: Record<PropertyKey, never>; Returns: undefined };
      mark_all_notifications_as_seen: { Args: Record<PropertyKey, never>; Returns: undefined };
      mark_notification_read: { Args: { notification_id: string }; Returns: undefined };
      my_blocks: {
        Args: Record<PropertyKey, never>;
        Returns: { user_id: string; name: string; created_at: string }[];
      };
      my_calendar_feed: { Args: Record<PropertyKey, never>; Returns: string };
      my_check_in: {
        Args: Record<PropertyKey, never>;
        Returns: {
          check_in_id: string;
          park_id: number;
          park_name: string;
          started_at: string;
          expires_at: string;
          dog_count: number;
          counted: boolean;
        }[];
      };
      my_consents: { Args: Record<PropertyKey, never>; Returns: Json };
      my_contributions: {
        Args: Record<PropertyKey, never>;
        Returns: {
          kind: string;
          id: string;
          park_id: number;
          park_name: string;
          status: Database['public']['Enums']['park_status'];
          created_at: string;
        }[];
      };
      my_lost_dog: { Args: { p_dog_id: string }; Returns: Json };
      my_meetings: {
        Args: Record<PropertyKey, never>;
        Returns: {
          park_id: number;
          park_name: string;
          meet_at: string;
          host_id: string;
          host_name: string;
          invite_id: string;
          status: Database['public']['Enums']['invite_status'];
          guests: Json;
          more_coming: number;
          host_picture: string;
          pack_time_id: string;
        }[];
      };
      my_reviews: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          park_id: number;
          park_name: string;
          title: string;
          content: string;
          rank: number;
          anonymous: boolean;
          created_at: string;
          updated_at: string;
        }[];
      };
      my_role: { Args: Record<PropertyKey, never>; Returns: Database['public']['Enums']['role'] };
      my_sessions: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          created_at: string;
          last_used_at: string;
          user_agent: string;
          is_current: boolean;
        }[];
      };
      offer_to_take_over: { Args: { p_dog_id: string; p_offer: boolean }; Returns: undefined };
      open_desk: { Args: { p_code: string }; Returns: Database['public']['Enums']['role'] };
      open_parks: {
        Args: Record<PropertyKey, never>;
        Returns: {
          park_id: number;
          lat: number;
          long: number;
          size: number;
          materials: string[];
          shade: number;
          has_facilities: boolean;
          facts: Json;
          texts: Json;
          by_people: string[];
          source: string;
          source_ref: string;
          licence: string;
          source_date: string;
        }[];
      };
      park_cards: { Args: { p_park_ids: number[] }; Returns: Json };
      park_company: { Args: { p_park_id: number }; Returns: Json };
      park_list_published: { Args: { p_changes: string[] }; Returns: undefined };
      park_now: {
        Args: { p_park_id: number; p_language?: Database['public']['Enums']['language'] | null };
        Returns: { park_id: number; name: string; city: string; dogs_now: number }[];
      };
      park_pack_times: { Args: { p_park_id: number }; Returns: Json };
      park_question: { Args: Record<PropertyKey, never>; Returns: Json };
      park_status: { Args: { p_park_id: number }; Returns: Json };
      parks_for_publishing: {
        Args: { p_language: Database['public']['Enums']['language'] };
        Returns: Json;
      };
      report_app_error: { Args: { p_kind: string; p_version: string }; Returns: undefined };
      report_condition: {
        Args: {
          p_park_id: number;
          p_condition: Database['public']['Enums']['park_condition'];
          p_key?: string | null;
        };
        Returns: string;
      };
      report_hazard: {
        Args: {
          p_park_id: number;
          p_hazard: Database['public']['Enums']['park_hazard'];
          p_key?: string | null;
        };
        Returns: string;
      };
      report_lost_card: {
        Args: { p_lost_id: string; p_reason: Database['public']['Enums']['report_reason'] };
        Returns: undefined;
      };
      report_lost_dog: {
        Args: { p_dog_id: string; p_lat?: number | null; p_long?: number | null };
        Returns: string;
      };
      report_pack_time: {
        Args: { p_pack_time_id: string; p_reason: Database['public']['Enums']['report_reason'] };
        Returns: undefined;
      };
      report_photo: {
        Args: { p_path: string; p_reason: Database['public']['Enums']['report_reason'] };
        Returns: undefined;
      };
      report_review: {
        Args: { p_review_id: string; p_reason: Database['public']['Enums']['report_reason'] };
        Returns: undefined;
      };
      report_sighting: {
        Args: { p_id: string; p_lost_id: string; p_lat: number; p_long: number };
        Returns: undefined;
      };
      report_user: {
        Args: {
          p_user_id: string;
          p_reason: Database['public']['Enums']['report_reason'];
          p_note?: string | null;
        };
        Returns: undefined;
      };
      respond_to_invite: { Args: { p_invite_id: string; p_accept: boolean }; Returns: string };
      save_review: {
        Args: {
          p_park_id: number;
          p_title: string;
          p_content: string;
          p_rank: number;
          p_anonymous?: boolean | null;
          p_key?: string | null;
          p_based_on?: string | null;
        };
        Returns: Json;
      };
      search_users_with_dogs: { Args: { input: string }; Returns: Json };
      send_friend_request: { Args: { p_user_id: string; p_key?: string | null }; Returns: string };
      send_from_tag: {
        Args: { p_code: string; p_note: string; p_lat?: number | null; p_long?: number | null };
        Returns: boolean;
      };
      stale_park_list: { Args: Record<PropertyKey, never>; Returns: string[] };
      submit_park: {
        Args: {
          p_name: string;
          p_city: string;
          p_address: string;
          p_lat: number;
          p_long: number;
          p_language?: Database['public']['Enums']['language'] | null;
          p_size?: number | null;
          p_materials?: Database['public']['Enums']['ground'][] | null;
          p_shade?: number | null;
          p_has_facilities?: boolean | null;
          p_key?: string | null;
        };
        Returns: number;
      };
      subscribe_to_push: {
        Args: { p_subscription: Json; p_time_zone?: string | null };
        Returns: undefined;
      };
      suggest_park_details: {
        Args: {
          p_park_id: number;
          p_size?: number | null;
          p_materials?: Database['public']['Enums']['ground'][] | null;
          p_shade?: number | null;
          p_has_facilities?: boolean | null;
          p_key?: string | null;
          p_words?: Json | null;
          p_lat?: number | null;
          p_long?: number | null;
          p_claim?: Database['public']['Enums']['park_claim'] | null;
          p_double_of?: number | null;
          p_facts?: Json | null;
        };
        Returns: string;
      };
      suggest_places: {
        Args: { input: string; p_language?: Database['public']['Enums']['language'] | null };
        Returns: {
          label: string;
          lat: number;
          long: number;
          city: string;
          address: string;
          is_park: boolean;
        }[];
      };
      tag_card: { Args: { p_code: string }; Returns: Json };
      town_answer_hazard: { Args: { p_id: string; p_done: boolean }; Returns: string };
      town_confirm_mail: { Args: { p_code: string }; Returns: boolean };
      town_desk: { Args: Record<PropertyKey, never>; Returns: Json };
      town_post_notice: {
        Args: {
          p_park_id: number;
          p_kind: Database['public']['Enums']['notice_kind'];
          p_text: string;
          p_starts_at: string;
          p_ends_at: string;
        };
        Returns: string;
      };
      town_set_mail: { Args: { p_email?: string | null }; Returns: undefined };
      town_undo: { Args: { p_decision_id: string }; Returns: boolean };
      town_withdraw_notice: { Args: { p_id: string }; Returns: string };
      unblock_user: { Args: { p_user_id: string }; Returns: undefined };
      unfinished_user_deletions: { Args: Record<PropertyKey, never>; Returns: string[] };
      unfriend: { Args: { p_user_id: string }; Returns: string };
      user_page: { Args: { p_user_id: string }; Returns: Json };
      user_reviews: {
        Args: { p_user_id: string };
        Returns: {
          id: string;
          park_id: number;
          park_name: string;
          title: string;
          content: string;
          rank: number;
          created_at: string;
          updated_at: string;
        }[];
      };
    };
    Enums: {
      busy_level: 'quiet' | 'medium' | 'busy';
      check_in_kind: 'visit' | 'plan' | 'taken_back';
      decision_reason:
        | 'duplicate'
        | 'not_a_park'
        | 'wrong_place'
        | 'not_true'
        | 'unclear'
        | 'wrong_park'
        | 'poor_photo'
        | 'people_in_photo'
        | 'spam'
        | 'inappropriate'
        | 'misinformation'
        | 'fake'
        | 'personal_information'
        | 'harassment';
      device_platform: 'android' | 'ios';
      dog_energy: 'LOW' | 'MEDIUM' | 'HIGH';
      dog_gender: 'MALE' | 'FEMALE';
      dog_role: 'keeper' | 'walker';
      dog_size: 'SMALL' | 'MEDIUM' | 'LARGE';
      ground: 'SAND' | 'DIRT' | 'GRASS' | 'SYNTHETIC_GRASS';
      invite_status: 'pending' | 'accepted' | 'declined';
      language: 'en' | 'he' | 'ar';
      measure: 'warn' | 'limit' | 'suspend' | 'ban';
      notice_kind: 'closed' | 'sprayed' | 'works' | 'event';
      notification_type:
        | 'friendRequest'
        | 'friendApproval'
        | 'parkInvite'
        | 'parkInviteResponse'
        | 'hazard'
        | 'parkInviteCancelled'
        | 'deskDecision'
        | 'measure'
        | 'deskWaiting'
        | 'friendThere'
        | 'friendComing'
        | 'mailsFail'
        | 'lostDog'
        | 'dogSighting'
        | 'dogFound'
        | 'dogPeople';
      park_claim: 'closed' | 'notDogPark' | 'double';
      park_condition: 'muddy' | 'gateClosed' | 'underConstruction' | 'brokenFountain';
      park_hazard:
        | 'poison'
        | 'glass'
        | 'caterpillars'
        | 'ticks'
        | 'awns'
        | 'looseDog'
        | 'brokenFence'
        | 'noWater'
        | 'kennelCough'
        | 'stomachBug'
        | 'parvovirus';
      park_size: 'small' | 'medium' | 'large';
      park_status: 'pending' | 'approved' | 'rejected';
      report_reason: 'spam' | 'inappropriate' | 'misinformation' | 'fake' | 'personal_information';
      role: 'town' | 'moderator' | 'administrator';
      standing: 'newcomer' | 'newcomer_there' | 'regular' | 'regular_there';
      theme: 'light' | 'dark';
    };
    CompositeTypes: Record<never, never>;
  };
};

export type Tables<
  Name extends keyof (Database['public']['Tables'] & Database['public']['Views']),
> = (Database['public']['Tables'] & Database['public']['Views'])[Name]['Row'];
export type TablesInsert<Name extends keyof Database['public']['Tables']> =
  Database['public']['Tables'][Name]['Insert'];
export type TablesUpdate<Name extends keyof Database['public']['Tables']> =
  Database['public']['Tables'][Name]['Update'];
export type Enums<Name extends keyof Database['public']['Enums']> =
  Database['public']['Enums'][Name];
