/** A porter, a note and a corridor of coloured doors. */
package org.example.corridor;
