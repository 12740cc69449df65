package io.agentprm.env.alfworld.engine;

import java.util.Arrays;
import java.util.Optional;

/** Pairs of domain and grammar that the compiled engine knows, by the hashes of their texts. */
enum Dialect {
    /** Released since version 0.4. */
    CURRENT(
            "0af55e7f92d12b09d28515aa730e4d03fddd17228ef1fd7b18a3ee8ba49b27b9",
            "06c5080350b785c2740192ed7a14133b795a265d6b3bca56457c54f3f6ea6713",
            "move ",
            " to ",
            "You move the ",
            " to the ",
            false,
            true),
    /** Released before. */
    OLD(
            "34172c333dff7e62eb90e85367fa5519b5f31b3849e56123d96dbc0deda50e27",
            "74d21416d3a7917801ff846e33bd9dbdcf617c58c07774616f577a1b6b6f0ee7",
            "put ",
            " in/on ",
            "You put the ",
            " in/on the ",
            true,
            false),
    /** Made by this module's generator. */
    GENERATED(
            "7da5811828cda7e9078ecc4a9593f807601fdf1762452d960091503d47ba9ecc",
            "5d798d91e6db4b1a086fd4b0b3fa52b60b60ec034a3c1099aea7bb13b2aeaf64",
            "move ",
            " to ",
            "You move the ",
            " to the ",
            false,
            true);

    static final String HELP_TEXT =
            """
            Available commands:
              look:                             look around your current location
              inventory:                        check your current inventory
              go to (receptacle):               move to a receptacle
              open (receptacle):                open a receptacle
              close (receptacle):               close a receptacle
              take (object) from (receptacle):  take an object from a receptacle
              move (object) to (receptacle):  place an object in or on a receptacle
              examine (something):              examine a receptacle or an object
              use (object):                     use an object
              heat (object) with (receptacle):  heat an object using a receptacle
              clean (object) with (receptacle): clean an object using a receptacle
              cool (object) with (receptacle):  cool an object using a receptacle
              slice (object) with (object):     slice an object using a sharp object
            """;

    private final String domainHash;
    private final String grammarHash;

    /** Before the object in a command that puts it somewhere. */
    final String put;

    /** Between object and receptacle. */
    final String putInto;

    final String putDone;
    final String putDoneInto;

    /** The answer to going names the location instead of the receptacle. */
    final boolean arrivesAtLocation;

    /** There is a command {@code help}. */
    final boolean helps;

    Dialect(
            String domainHash,
            String grammarHash,
            String put,
            String putInto,
            String putDone,
            String putDoneInto,
            boolean arrivesAtLocation,
            boolean helps) {
        this.domainHash = domainHash;
        this.grammarHash = grammarHash;
        this.put = put;
        this.putInto = putInto;
        this.putDone = putDone;
        this.putDoneInto = putDoneInto;
        this.arrivesAtLocation = arrivesAtLocation;
        this.helps = helps;
    }

    static Optional<Dialect> of(String domainHash, String grammarHash) {
        return Arrays.stream(values())
                .filter(
                        dialect ->
                                dialect.domainHash.equals(domainHash)
                                        && dialect.grammarHash.equals(grammarHash))
                .findFirst();
    }
}
